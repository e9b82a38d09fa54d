import { speak } from '../speak.ts';

const say = speak('es');

const many = (count: number, text: string) => (count >= 1_000 ? `${text} o más` : text);

export const home: typeof import('../en/home.ts').home = {
  morning: (name) => (name ? `Buenos días, ${name}` : 'Buenos días'),
  afternoon: (name) => (name ? `Buenas tardes, ${name}` : 'Buenas tardes'),
  evening: (name) => (name ? `Buenas noches, ${name}` : 'Buenas noches'),
  today: (day) => `${day}.`,
  noName: (address) => `Los regalos que usted envía muestran ${address} como remitente.`,
  chooseName: 'Añadir su nombre',
  nothingToDo: 'No hay tareas pendientes.',
  things: (count) =>
    say(
      '{n, plural, =1 {Una tarea pendiente.} =2 {Dos tareas pendientes.} =3 {Tres tareas pendientes.} =4 {Cuatro tareas pendientes.} =5 {Cinco tareas pendientes.} =6 {Seis tareas pendientes.} other {# tareas pendientes.}}',
      { n: count },
    ),
  attention: 'Por atender',
  failed: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {regalo no se pudo enviar} other {regalos no se pudieron enviar}}', { n: count })}`,
  failedText: (name, when) => `Sus correos fueron devueltos o rechazados. El último: ${name}, ${when}`,
  failedAct: 'Corregir direcciones',
  noAddress: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {regalo} other {regalos}}', { n: count })} sin correo electrónico`,
  noAddressText: 'Imprímalos o añada un correo electrónico',
  noAddressAct: 'Ver regalos',
  expiring: (count, text, day, amount) =>
    `${many(count, text)} ${say('{n, plural, one {regalo vence} other {regalos vencen}}', { n: count })} en los próximos siete días, el primero el ${day}: ${amount} sin aceptar`,
  expiringText: 'Los destinatarios reciben antes un recordatorio. Puede darles más tiempo.',
  expiringAct: 'Ver regalos',
  waiting: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {aprobación espera} other {aprobaciones esperan}}', { n: count })} su decisión`,
  waitingMore: (count) => say('{n, plural, one {y # más} other {y # más}}', { n: count }),
  waitingAct: 'Revisar',
  failedOrders: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {pedido falló} other {pedidos fallaron}}', { n: count })} en 30 días`,
  failedOrdersText: 'No se envió ningún regalo de un pedido fallido. Puede reintentarlo.',
  failedOrdersAct: 'Ver pedidos',
  notDone: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {mensaje o regalo de una automatización no se envió} other {mensajes o regalos de automatizaciones no se enviaron}}', { n: count })}`,
  notDoneText: 'En los últimos 30 días. Cada uno indica su motivo y qué hacer.',
  notDoneAct: 'Ver los motivos',
  exhaustedBudgets: (count, text) =>
    say('{n, plural, =1 {Un presupuesto está agotado} other {{text} presupuestos están agotados}}', { n: count, text }),
  exhaustedBudgetsText: 'Giftwire rechaza los pedidos hasta que se conceda dinero',
  lowBudgets: (count, text) =>
    say('{n, plural, =1 {El saldo de un presupuesto es bajo} other {{text} presupuestos tienen saldo bajo}}', {
      n: count,
      text,
    }),
  lowBudgetsText: 'Conceda dinero antes de que se rechacen pedidos',
  budgetsAct: 'Ver presupuestos',
  erasuresToConfirm: (count, text) =>
    say(
      '{count, plural, one {# borrado espera a una segunda persona} other {{text} borrados esperan a una segunda persona}}',
      { count, text },
    ),
  erasuresToConfirmText: 'Otra persona lo solicitó. Usted puede aceptarlo o detenerlo.',
  erasuresToConfirmAct: 'Ver borrados',
  openRequests: (count, text) =>
    say('{n, plural, =1 {1 solicitud por revisar} other {{text} solicitudes por revisar}}', { n: count, text }),
  openRequestsText: 'Por ejemplo, una donación. Márquela como atendida o rechácela.',
  openRequestsAct: 'Ver solicitudes',
  lowStocks: (count, text) =>
    say('{n, plural, =1 {Se agota 1 tipo de tarjeta regalo} other {Se agotan {text} tipos de tarjeta regalo}}', {
      n: count,
      text,
    }),
  lowStocksText: 'Los destinatarios no pueden elegir una tarjeta regalo sin códigos',
  lowStocksAct: 'Ver reservas de códigos',
  failingWebhooks: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {webhook falla} other {webhooks fallan}}', { n: count })}`,
  failingWebhooksText: 'Sus sistemas no reciben eventos hasta que se resuelva el problema.',
  failingWebhooksAct: 'Ver webhooks',
  ledgerProblems: (count) =>
    say('{n, plural, one {# problema encontrado} other {# problemas encontrados}} en el libro mayor', { n: count }),
  ledgerProblemsText: 'La última verificación encontró filas que no concuerdan.',
  ledgerProblemsAct: 'Ver los problemas',
  lastOwner: (day) => `Ningún propietario queda después del ${day}`,
  lastOwnerText: 'Dé el rol Propietario a otro usuario. Hasta entonces, no se registra la baja del último propietario.',
  lastOwnerAct: 'Ver usuarios',
  soFar: (month) => `${month} hasta ahora`,
  beside: (days, before) => `${days}, frente a ${before}`,
  giftsSent: 'Regalos enviados',
  value: 'Valor',
  noValue: 'Ningún regalo',
  recognized: 'Personas reconocidas',
  claimed: 'Regalos aceptados',
  from: (before) => `antes ${before}`,
  asBefore: (before) => `sin cambios respecto a ${before}`,
  ofPeople: (share, people) => `${share} de ${people}`,
  byWeek: 'Reconocimiento por semana',
  gifts: 'Regalos',
  shoutouts: 'Agradecimientos',
  byWeekLabel: (weeks, gifts, shoutouts) =>
    say(
      'Gráfico de {weeks, plural, one {# semana} other {# semanas}}. Última semana: {gifts, plural, one {# regalo} other {# regalos}}, {shoutouts, plural, one {# agradecimiento} other {# agradecimientos}}.',
      { weeks, gifts, shoutouts },
    ),
  table: 'Tabla',
  covered: 'Con reconocimiento en 90 días',
  yourPeople: (share) => `su equipo ${share}`,
  company: (share) => `empresa ${share}`,
  none: 'Sin departamento',
  forgotten: (count, text) =>
    `${text} ${say('{n, plural, one {persona no fue reconocida} other {personas no fueron reconocidas}}', { n: count })} en 90 días`,
  allCovered: 'Todas las personas recibieron reconocimiento en los últimos 90 días.',
  latest: 'Últimos reconocimientos',
  all: 'Ver todo',
  thanked: 'dio las gracias a',
  others: (people) => (people === null ? 'otras personas' : `${people} personas más`),
  gift: 'Regalo',
  shoutout: 'Agradecimiento',
  givesAmountTo: (recipient, amount) => `quiere enviar a ${recipient} un regalo de ${amount}`,
  waitsForApproval: 'espera aprobación',
  isPrivate: 'privado',
  firstSteps: (count) =>
    say(
      '{n, plural, =1 {Un paso hasta el primer regalo} =2 {Dos pasos hasta el primer regalo} =3 {Tres pasos hasta el primer regalo} =4 {Cuatro pasos hasta el primer regalo} =5 {Cinco pasos hasta el primer regalo} =6 {Seis pasos hasta el primer regalo} other {# pasos hasta el primer regalo}}',
      { n: count },
    ),
  stepsText: 'Cada paso se marca automáticamente. La lista desaparece con el primer regalo que usted envía.',
  hideSteps: 'Ocultar los pasos',
  stepDone: 'Hecho',
  stepTest: 'Sin conectar (prueba)',
  stepTestText:
    'Este entorno de prueba no tiene servidor de correo: los correos no salen de él. El administrador del servidor lo configura.',
  stepChange: 'Cambiar',
  whatRecipientsGet: 'Lo que reciben los destinatarios',
  steps: {
    brand: [
      'Su nombre y su color',
      'Los destinatarios los ven en los correos y en las páginas de los regalos.',
      'Definir la marca',
    ],
    people: ['Las personas', 'Importe un archivo de su sistema de RR. HH., con las columnas que tenga.', 'Importar'],
    email: [
      'El correo',
      'Giftwire envía cada regalo por correo. El administrador del servidor configura el servidor de correo.',
      'Configurar',
    ],
    spendingOptions: [
      'Las opciones de canje',
      'Con el salario, en una tienda, como tarjeta regalo o como donación.',
      'Elegir',
    ],
    budget: ['Un presupuesto', 'Limita el total de los regalos y el importe de cada uno.', 'Fijar un presupuesto'],
    gift: ['El primer regalo', 'Envíelo a su propio correo para ver lo que ven los destinatarios.', 'Enviar un regalo'],
  },
  firstTitle: 'Aún no hay reconocimientos',
  firstText: 'Envíe un regalo o un agradecimiento. Esta página mostrará quién recibió reconocimiento y quién no.',
  firstAct: 'Enviar el primer regalo',
};
