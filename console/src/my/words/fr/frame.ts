import type { frame as english } from '../en/frame.ts';

export const frame: typeof english = {
  places: 'Principal',
  gifts: 'Mes cadeaux',
  feed: 'Fil',
  give: 'Remercier',
  you: 'Vous',
  giveAction: 'Remercier quelqu’un',
  shoutouts: 'Mes remerciements',
  back: 'Retour',
  skip: 'Aller au contenu',
  signOut: 'Se déconnecter',
  notFoundTitle: 'Page introuvable',
  notFoundText: 'Vérifiez le lien, ou repartez de vos cadeaux.',
  notFoundAction: 'Retour à mes cadeaux',
  noAccessTitle: 'Cette page appartient à un autre espace de travail',
  noAccessText: 'Votre session est ouverte, mais pas dans celui-ci.',
  goTo: (workspace) => `Aller à ${workspace}`,
  noWorkspaceTitle: 'Vous n’avez pas encore accès',
  noWorkspaceText: 'Adressez-vous à votre équipe RH.',
};
