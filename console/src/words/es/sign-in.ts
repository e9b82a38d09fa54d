export const signIn: typeof import('../en/sign-in.ts').signIn = {
  title: 'Entrar',
  welcome: 'El reconocimiento que llega.',
  linkTitle: 'Su enlace para entrar',
  linkText: 'Sirve una sola vez. Pulse el botón para entrar con este navegador.',
  linkFault: 'Este enlace ya se usó o tiene más de 15 minutos.',
  linkHelp: 'Pida otro a un propietario de su espacio, o cree uno donde corre Giftwire:',
  enter: 'Entrar',
  otherWay: 'Entrar de otra manera',
  email: 'Correo electrónico',
  password: 'Contraseña',
  with: (provider) => `Continuar con ${provider}`,
  or: 'o',
  wrong: 'El correo y la contraseña no corresponden. Inténtelo de nuevo o pida un enlace a un propietario.',
  /** Why signing in with a provider did not work. */
  faults: {
    unauthenticated: 'Este intento de entrar duró demasiado o se interrumpió. Inténtelo de nuevo.',
    forbidden: 'Nadie le ha invitado todavía: pida a un propietario del espacio de su empresa.',
    unavailable: 'No se puede llegar a su servicio de acceso. Inténtelo en un momento, o de otra manera.',
    conflict: 'Esa cuenta es aquí de otra persona. Entre con la suya.',
    tooMany: 'Llegaron demasiados intentos de entrar desde su red. Inténtelo de nuevo en un minuto.',
  },
  noPassword: '¿Aún sin contraseña, o la olvidó?',
};
