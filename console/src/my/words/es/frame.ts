import type { frame as english } from '../en/frame.ts';

export const frame: typeof english = {
  places: 'Principal',
  gifts: 'Mis regalos',
  feed: 'Muro',
  give: 'Agradecer',
  you: 'Usted',
  giveAction: 'Enviar un agradecimiento',
  shoutouts: 'Mis agradecimientos',
  back: 'Atrás',
  skip: 'Ir al contenido',
  signOut: 'Cerrar sesión',
  notFoundTitle: 'Página no encontrada',
  notFoundText: 'Revise el enlace o empiece por sus regalos.',
  notFoundAction: 'Volver a mis regalos',
  noAccessTitle: 'Esta página es de otro espacio de trabajo',
  noAccessText: 'Tiene una sesión iniciada, pero no en ese espacio.',
  goTo: (workspace) => `Ir a ${workspace}`,
  noWorkspaceTitle: 'Todavía no tiene acceso',
  noWorkspaceText: 'Consulte a su equipo de RR. HH.',
};
