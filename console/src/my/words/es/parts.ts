import type { parts as english } from '../en/parts.ts';

export const parts: typeof english = {
  retry: 'Reintentar',
  cancel: 'Cancelar',
  save: 'Guardar',
  more: 'Mostrar más',
  loading: 'Cargando',
  offline: 'No tiene conexión. Revísela y vuelva a intentarlo.',
  unreachable: 'No se puede conectar con el servicio. Inténtelo de nuevo en un momento.',
  serverFault: 'El servicio tiene un problema. Inténtelo de nuevo en un momento.',
  tooMany: 'Demasiados intentos. Vuelva a intentarlo en unos minutos.',
  forbidden: 'No tiene acceso a esto.',
  required: 'Rellene este campo.',
  rejected: {
    400: 'Revise lo que escribió.',
    402: 'El presupuesto no alcanza, o una regla de su empresa lo impide.',
    404: 'Esto ya no está disponible.',
    409: 'Esto no es posible.',
    410: 'Esto ya no está disponible.',
  },
};
