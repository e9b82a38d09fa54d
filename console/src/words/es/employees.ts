import type { employees as english } from '../en/employees.ts';

export const employees: typeof english = {
  text: 'Quién inicia sesión en la aplicación de empleados, para ver y canjear sus regalos y para agradecer a sus colegas. No es necesario crear usuarios para ellos.',
  access: 'Quién puede iniciar sesión',
  accesses: { OFF: 'Solo los usuarios', ALL: 'Todo el directorio', AUDIENCE: 'Una parte del directorio' },
  accessTexts: {
    OFF: 'Las personas con un rol. Las demás abren sus regalos con los enlaces de sus correos.',
    ALL: 'Todas las personas activas, con un enlace por correo, su proveedor OpenID o un código impreso.',
    AUDIENCE: 'Personas de algunos departamentos, ubicaciones o equipos, o una por una.',
  },
  noWay: {
    title: 'Nadie puede iniciar sesión en la aplicación todavía',
    kioskOnly: 'Solo las personas con código de quiosco pueden iniciar sesión',
    why: 'No hay servidor de correo ni proveedor OpenID, así que la aplicación no ofrece ningún inicio de sesión por correo ni con la cuenta de trabajo. El administrador del servidor configura uno de los dos:',
    mailServer:
      'Un servidor de correo, para enviar los enlaces de acceso: los ajustes GIFTWIRE_SMTP_URL, GIFTWIRE_MAIL_FROM y GIFTWIRE_PUBLIC_URL.',
    seeMail: 'Ver cómo está configurado el correo',
    provider:
      'O un proveedor OpenID, para las cuentas de trabajo: los ajustes GIFTWIRE_OIDC_ISSUER, GIFTWIRE_OIDC_CLIENT_ID, GIFTWIRE_OIDC_CLIENT_SECRET y GIFTWIRE_PUBLIC_URL.',
  },
  who: 'Estas personas inician sesión:',
  address: 'Dirección de la aplicación',
  leaverDays: 'Días para las personas de baja',
  leaverDaysHint:
    'Durante ese tiempo leen y canjean los regalos que tienen. Déjelo vacío para cerrar su acceso de inmediato.',
  setNames: 'Las personas eligen su nombre preferido',
  setNamesHint: 'El nombre que ven los colegas. Los archivos de nómina y de impuestos conservan el nombre legal.',
  givesGifts: 'Los agradecimientos pueden llevar regalos',
  givesGiftsHint:
    'De un presupuesto propio, o de uno compartido con un tope por persona y mes: el tope es su asignación. Las reglas se aplican como a todo regalo.',
  feedShowsGifts: 'El muro dice que llevaba un regalo',
  feedShowsGiftsHint: 'Solo si quien lo envía también lo quiere, y nunca el importe.',
  managerDigest: 'Correo mensual a los responsables',
  managerDigestHint:
    'El primer día del mes, los responsables leen qué personas a su cargo no recibieron reconocimiento el mes anterior. Pueden cancelar la suscripción.',
  matchesSubject: 'Identificar a las personas por su cuenta de trabajo',
  matchesSubjectHint:
    'En lugar del correo electrónico. Para proveedores OpenID que no verifican correos electrónicos, por ejemplo Entra ID. SCIM debe importar a las personas con el mismo identificador: el «subject» de OpenID es el «externalId» de SCIM.',
  saved: 'Acceso de empleados guardado.',
  kiosk: 'Código de quiosco',
  kioskText: (name) =>
    `Con este código y su número de empleado, ${name} inicia sesión en una pantalla compartida. Un código anterior deja de servir.`,
  kioskCreate: 'Crear código de quiosco',
  kioskTitle: (name) => `Código de quiosco de ${name}`,
  kioskOnce: (number, page) =>
    `Imprímalo para esta persona. Solo se muestra ahora. Se escribe en ${page} con el número ${number}.`,
  kioskDone: 'Listo',
  kioskRevoke: 'Revocar código de quiosco',
  kioskRevokeTitle: (name) => `¿Revocar el código de quiosco de ${name}?`,
  kioskRevokeText: 'Deja de servir, y se cierran sus sesiones en pantallas compartidas.',
  kioskRevoked: 'Código de quiosco revocado.',
};
