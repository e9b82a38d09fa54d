export const signIn: typeof import('../en/sign-in.ts').signIn = {
  title: 'Iniciar sesión',
  signedOut: 'Su sesión terminó. Lo que escribió se conserva.',
  signedOutGift: 'Su sesión terminó. Su regalo se conserva.',
  linkTitle: 'Su enlace de acceso',
  linkText: 'Sirve una sola vez. Pulse el botón para iniciar sesión con este navegador.',
  linkFault: 'Este enlace ya se usó o tiene más de 15 minutos.',
  linkHelp:
    'Pida un enlace nuevo a un propietario del espacio de trabajo, o cree uno en el servidor donde se ejecuta Giftwire:',
  enter: 'Iniciar sesión',
  otherWay: 'Iniciar sesión de otra manera',
  email: 'Correo electrónico',
  password: 'Contraseña',
  with: (provider) => `Continuar con ${provider}`,
  or: 'o',
  wrong:
    'Correo o contraseña incorrectos. Inténtelo de nuevo o pida un enlace de acceso a un propietario del espacio de trabajo.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'El inicio de sesión tardó demasiado o se interrumpió. Inténtelo de nuevo.',
    forbidden: 'Aún no tiene acceso. Pida a un propietario del espacio de trabajo que le dé acceso.',
    unavailable:
      'No se puede conectar con su proveedor de acceso. Inténtelo en un momento o inicie sesión de otra manera.',
    conflict: 'Esa cuenta pertenece a otro usuario. Inicie sesión con la suya.',
    tooMany: 'Demasiados intentos de inicio de sesión desde su red. Inténtelo de nuevo en un minuto.',
  },
  emailLink: 'Enviarme un enlace de acceso',
  emailedLink: (email) => `Si ${email} tiene acceso, un enlace está en camino. Funciona una vez, durante 15 minutos.`,
  noPassword: '¿No tiene contraseña o la olvidó?',
};
