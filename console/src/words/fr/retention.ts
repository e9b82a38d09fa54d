import type { retention as english } from '../en/retention.ts';

export const retention: typeof english = {
  text: 'La durée de conservation. Ce qui est plus ancien est supprimé chaque jour, en arrière-plan. Les commandes, les montants et les totaux restent toujours.',
  record: 'Données',
  keep: 'Durée de conservation',
  keepOf: (record: string) => `Jours de conservation : ${record}`,
  always: 'Toujours',
  suffix: ' jours',
  usual: (days: number | null) => (days === null ? 'Par défaut : toujours' : `Par défaut : ${days} jours`),
  least: (days: number) => `au moins ${days} jours`,
  most: (days: number) => `au plus ${days} jours`,
  next: 'Prochaine suppression',
  useUsual: 'Valeur par défaut',
  saved: 'Durées enregistrées.',
  sure: 'Enregistrer et supprimer ce qui est plus ancien ?',
  sureText: 'Ce qui dépasse la durée choisie est supprimé et ne peut pas être rétabli.',
  sureAction: 'Enregistrer les durées',
  kinds: {
    'gift-texts': {
      name: 'Textes des cadeaux',
      why: 'Messages et mots de remerciement des cadeaux utilisés, annulés ou expirés. On peut relire pourquoi on a été remercié.',
    },
    'shoutout-texts': {
      name: 'Textes des remerciements',
      why: 'Avec les commentaires et les mots. On peut relire pourquoi on a été remercié.',
    },
    emails: {
      name: 'Courriels des cadeaux',
      why: 'Adresses courriel et réponses des serveurs. Elles montrent si un courriel est arrivé.',
    },
    'approval-emails': {
      name: 'Courriels d’approbation',
      why: 'Adresses courriel. Elles montrent à qui la question a été posée.',
    },
    'manager-emails': {
      name: 'Courriels aux responsables',
      why: 'Adresses courriel. Elles montrent qui a été informé d’une automatisation.',
    },
    'digest-emails': {
      name: 'Courriels hebdomadaires et mensuels',
      why: 'Adresses de courriel. Elles montrent ce qui a été envoyé, et aucune semaine n’est envoyée deux fois.',
    },
    'gift-log': { name: 'Journaux des cadeaux', why: 'L’historique des cadeaux utilisés, annulés ou expirés.' },
    'audit-log': {
      name: 'Journal d’audit',
      why: 'Il prouve qui a fait quoi. Les entrées sur les exportations de paie restent toujours.',
    },
    'sign-ins': { name: 'Connexions', why: 'Les sessions terminées. Chacun voit où il était connecté.' },
    leavers: {
      name: 'Personnes parties',
      why: 'Leurs données sont anonymisées ce nombre de jours après leur départ, comme par un effacement. Désactivé par défaut.',
    },
    'webhook-attempts': {
      name: 'Envois aux webhooks',
      why: 'Les envois échoués. Ils montrent pourquoi une URL a manqué des événements.',
    },
    'order-parties': {
      name: 'Personnes qui ne pouvaient pas décider',
      why: 'Adresses et matricules des commandes terminées qu’une règle a retenues.',
    },
    'sender-months': {
      name: 'Totaux mensuels des expéditeurs',
      why: 'Les règles mesurent ce qu’un expéditeur a envoyé pendant le mois en cours.',
    },
    'sender-month-orders': { name: 'Commandes de ces totaux', why: 'Ce que chaque commande y a ajouté.' },
  },
};
