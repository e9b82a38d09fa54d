const plural = (count: number, one: string, many: string) => (count < 2 ? one : many);
const many = (count: number, text: string) => (count >= 1_000 ? `${text} ou plus :` : text);

export const home: typeof import('../en/home.ts').home = {
  morning: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  afternoon: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  evening: (name) => (name ? `Bonsoir ${name}` : 'Bonsoir'),
  today: (day) => `${day}.`,
  noName: (address) => `Les cadeaux que vous envoyez viennent de ${address}.`,
  chooseName: 'Choisir votre nom',
  nothingToDo: 'Rien ne vous attend.',
  things: (count) =>
    count === 1
      ? 'Une chose à regarder.'
      : `${['', '', 'Deux', 'Trois', 'Quatre', 'Cinq', 'Six'][count] ?? count} choses à regarder.`,
  attention: 'À regarder',
  failed: (count, text) =>
    `${many(count, text)} ${plural(count, 'cadeau n’a pas pu être envoyé', 'cadeaux n’ont pas pu être envoyés')}`,
  failedText: (name, when) => `Leur courriel est revenu ou a été refusé. Le dernier : ${name}, ${when}`,
  failedAct: 'Corriger les adresses',
  noAddress: (count, text) =>
    `${many(count, text)} ${plural(count, 'cadeau attend', 'cadeaux attendent')} une adresse courriel`,
  noAddressText: 'Imprimez-les, ou ajoutez une adresse',
  noAddressAct: 'Choisir',
  expiring: (count, text, day, amount) =>
    `${many(count, text)} ${plural(count, 'cadeau se termine', 'cadeaux se terminent')} d’ici sept jours, le premier le ${day} : ${amount} non acceptés`,
  expiringText: 'Les personnes reçoivent un rappel avant. Vous pouvez leur donner plus de temps.',
  expiringAct: 'Voir les cadeaux',
  waiting: (count, text) =>
    `${many(count, text)} ${plural(count, 'remerciement attend', 'remerciements attendent')} une approbation`,
  waitingText: (days) =>
    days < 1
      ? 'La plus ancienne depuis aujourd’hui'
      : `La plus ancienne depuis ${days} ${plural(days, 'jour', 'jours')}`,
  waitingAct: 'Examiner',
  failedOrders: (count, text) =>
    `${many(count, text)} ${plural(count, 'commande a échoué', 'commandes ont échoué')} en 30 jours`,
  failedOrdersText: 'Aucun cadeau d’une commande échouée n’est parti. Vous pouvez la relancer.',
  failedOrdersAct: 'Voir les commandes',
  exhaustedBudgets: (count, text) => (count === 1 ? 'Un budget est épuisé' : `${text} budgets sont épuisés`),
  exhaustedBudgetsText: 'Les commandes qui y puisent sont refusées tant que rien n’est accordé',
  lowBudgets: (count, text) => (count === 1 ? 'Un budget est bas' : `${text} budgets sont bas`),
  lowBudgetsText: 'Accordez de l’argent avant que des commandes soient refusées',
  budgetsAct: 'Voir les budgets',
  openRequests: (count, text) =>
    count === 1 ? 'Un destinataire demande quelque chose' : `${text} destinataires demandent quelque chose`,
  openRequestsText: 'Un don, par exemple : faites-le ou refusez',
  openRequestsAct: 'Voir les demandes',
  lowStocks: (count, text) =>
    count === 1 ? 'Les codes d’une enseigne s’épuisent' : `${text} sortes de codes s’épuisent`,
  lowStocksText: 'Ce qui n’a plus de codes ne peut pas être choisi',
  lowStocksAct: 'Voir les réserves',
  failingWebhooks: (count, text) =>
    `${many(count, text)} ${plural(count, 'adresse ne prend pas', 'adresses ne prennent pas')} les événements`,
  failingWebhooksText: 'D’autres systèmes manquent ce qui se passe ici tant que ce n’est pas réparé.',
  failingWebhooksAct: 'Voir les webhooks',
  soFar: (month) => `${month} jusqu’ici`,
  beside: (days, before) => `${days}, à côté de ${before}`,
  giftsSent: 'Cadeaux envoyés',
  value: 'Valeur',
  noValue: 'Aucun cadeau',
  recognized: 'Personnes reconnues',
  claimed: 'Cadeaux acceptés',
  from: (before) => `contre ${before}`,
  asBefore: (before) => `${before} comme avant`,
  ofPeople: (share, people) => `${share} de ${people}`,
  byWeek: 'Reconnaissance par semaine',
  gifts: 'Cadeaux',
  shoutouts: 'Remerciements',
  byWeekLabel: (weeks, gifts, shoutouts) =>
    `Courbes de ${weeks} semaines. La dernière semaine, il y a eu ${gifts} cadeaux et ${shoutouts} remerciements.`,
  table: 'Tableau',
  covered: 'Reconnus en 90 jours',
  company: (share) => `entreprise ${share}`,
  none: 'Sans service',
  forgotten: (count, text) =>
    `${text} ${plural(count, 'personne n’a pas été reconnue', 'personnes n’ont pas été reconnues')} depuis 90 jours`,
  allCovered: 'Tout le monde a été reconnu en 90 jours.',
  latest: 'Dernières nouvelles',
  all: 'Toute la reconnaissance',
  thanked: 'a remercié',
  others: (people) => (people === null ? 'd’autres' : `${people} autres`),
  gift: 'Cadeau',
  shoutout: 'Remerciement',
  waitsForApproval: 'attend une approbation',
  isPrivate: 'privée',
  firstTitle: 'Personne n’a encore été remercié ici',
  firstText: 'Envoyez un cadeau ou dites merci : cette page montre qui a été reconnu et qui a été oublié.',
  firstAct: 'Envoyer le premier cadeau',
};
