const plural = (count: number, one: string, many: string) => (count < 2 ? one : many);
const many = (count: number, text: string) => (count >= 1_000 ? `${text} ou plus :` : text);

export const home: typeof import('../en/home.ts').home = {
  morning: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  afternoon: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  evening: (name) => (name ? `Bonsoir ${name}` : 'Bonsoir'),
  today: (day) => `${day}.`,
  noName: (address) => `Les cadeaux que vous envoyez indiquent ${address} comme expéditeur.`,
  chooseName: 'Indiquer votre nom',
  nothingToDo: 'Aucune tâche en attente.',
  things: (count) =>
    count === 1
      ? 'Une tâche en attente.'
      : `${['', '', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six'][count] ?? count} tâches en attente.`,
  attention: 'À traiter',
  failed: (count, text) =>
    `${many(count, text)} ${plural(count, 'cadeau n’a pas pu être envoyé', 'cadeaux n’ont pas pu être envoyés')}`,
  failedText: (name, when) => `Leurs courriels sont revenus ou ont été refusés. Le dernier\u00a0: ${name}, ${when}`,
  failedAct: 'Corriger les adresses',
  noAddress: (count, text) => `${many(count, text)} ${plural(count, 'cadeau', 'cadeaux')} sans adresse courriel`,
  noAddressText: 'Imprimez-les, ou ajoutez une adresse courriel',
  noAddressAct: 'Voir les cadeaux',
  expiring: (count, text, day, amount) =>
    `${many(count, text)} ${plural(count, 'cadeau expire', 'cadeaux expirent')} d’ici sept jours, le premier le ${day}\u00a0: ${amount} non acceptés`,
  expiringText: 'Les destinataires reçoivent d’abord un rappel. Vous pouvez leur donner plus de temps.',
  expiringAct: 'Voir les cadeaux',
  waiting: (count, text) =>
    `${many(count, text)} ${plural(count, 'remerciement attend', 'remerciements attendent')} une approbation`,
  waitingText: (days) =>
    days < 1 ? 'Le plus ancien depuis aujourd’hui' : `Le plus ancien depuis ${days} ${plural(days, 'jour', 'jours')}`,
  waitingAct: 'Examiner',
  failedOrders: (count, text) =>
    `${many(count, text)} ${plural(count, 'commande a échoué', 'commandes ont échoué')} en 30 jours`,
  failedOrdersText: 'Aucun cadeau d’une commande en échec n’a été envoyé. Vous pouvez la relancer.',
  failedOrdersAct: 'Voir les commandes',
  exhaustedBudgets: (count, text) => (count === 1 ? 'Un budget est épuisé' : `${text} budgets sont épuisés`),
  exhaustedBudgetsText: 'Giftwire refuse ses commandes tant qu’aucun montant n’est accordé',
  lowBudgets: (count, text) => (count === 1 ? 'Un budget est bas' : `${text} budgets sont bas`),
  lowBudgetsText: 'Accordez un montant avant que des commandes soient refusées',
  budgetsAct: 'Voir les budgets',
  openRequests: (count, text) => (count === 1 ? '1 demande à examiner' : `${text} demandes à examiner`),
  openRequestsText: 'Par exemple un don. Marquez-la comme traitée ou refusez-la.',
  openRequestsAct: 'Voir les demandes',
  lowStocks: (count, text) =>
    count === 1 ? '1 type de carte-cadeau s’épuise' : `${text} types de cartes-cadeaux s’épuisent`,
  lowStocksText: 'Les destinataires ne peuvent pas choisir une carte-cadeau sans codes',
  lowStocksAct: 'Voir les réserves de codes',
  failingWebhooks: (count, text) => `${many(count, text)} ${plural(count, 'webhook est', 'webhooks sont')} en échec`,
  failingWebhooksText: 'Vos systèmes ne reçoivent pas d’événements tant que le problème n’est pas réglé.',
  failingWebhooksAct: 'Voir les webhooks',
  soFar: (month) => `${month} jusqu’ici`,
  beside: (days, before) => `${days}, par rapport à ${before}`,
  giftsSent: 'Cadeaux envoyés',
  value: 'Valeur',
  noValue: 'Aucun cadeau',
  recognized: 'Personnes reconnues',
  claimed: 'Cadeaux acceptés',
  from: (before) => `contre ${before}`,
  asBefore: (before) => `inchangé par rapport à ${before}`,
  ofPeople: (share, people) => `${share} de ${people}`,
  byWeek: 'Reconnaissance par semaine',
  gifts: 'Cadeaux',
  shoutouts: 'Remerciements',
  byWeekLabel: (weeks, gifts, shoutouts) =>
    `Courbes de ${weeks} semaines. La dernière semaine, il y a eu ${gifts} cadeaux et ${shoutouts} remerciements.`,
  table: 'Tableau',
  covered: 'Avec reconnaissance en 90 jours',
  yourPeople: (share) => `votre équipe ${share}`,
  company: (share) => `entreprise ${share}`,
  none: 'Sans service',
  forgotten: (count, text) =>
    `${text} ${plural(count, 'personne n’a pas été reconnue', 'personnes n’ont pas été reconnues')} depuis 90 jours`,
  allCovered: 'Chaque personne a reçu une reconnaissance au cours des 90 derniers jours.',
  latest: 'Dernières reconnaissances',
  all: 'Tout voir',
  thanked: 'a remercié',
  others: (people) => (people === null ? 'd’autres' : `${people} autres`),
  gift: 'Cadeau',
  shoutout: 'Remerciement',
  waitsForApproval: 'attend une approbation',
  isPrivate: 'privé',
  firstTitle: 'Aucune reconnaissance pour l’instant',
  firstText:
    'Envoyez un cadeau ou un remerciement. Cette page montrera ensuite qui a reçu une reconnaissance et qui n’en a pas reçu.',
  firstAct: 'Envoyer le premier cadeau',
};
