import { speak } from '../speak.ts';

const say = speak('fr');

const many = (count: number, text: string) => (count >= 1_000 ? `Au moins ${text}` : text);

export const home: typeof import('../en/home.ts').home = {
  morning: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  afternoon: (name) => (name ? `Bonjour ${name}` : 'Bonjour'),
  evening: (name) => (name ? `Bonsoir ${name}` : 'Bonsoir'),
  today: (day) => `${day}.`,
  noName: (address) => `Les cadeaux que vous envoyez indiquent ${address} comme expéditeur.`,
  chooseName: 'Indiquer votre nom',
  nothingToDo: 'Aucune tâche en attente.',
  things: (count) =>
    say(
      '{n, plural, =1 {Une tâche en attente.} =2 {Deux tâches en attente.} =3 {Trois tâches en attente.} =4 {Quatre tâches en attente.} =5 {Cinq tâches en attente.} =6 {Six tâches en attente.} other {# tâches en attente.}}',
      { n: count },
    ),
  attention: 'À traiter',
  failed: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {cadeau n’a pas pu être envoyé} other {cadeaux n’ont pas pu être envoyés}}', { n: count })}`,
  failedText: (name, when) => `Leurs courriels sont revenus ou ont été refusés. Le dernier\u00a0: ${name}, ${when}`,
  failedAct: 'Corriger les adresses',
  noAddress: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {cadeau} other {cadeaux}}', { n: count })} sans adresse courriel`,
  noAddressText: 'Imprimez-les, ou ajoutez une adresse courriel',
  noAddressAct: 'Voir les cadeaux',
  expiring: (count, text, day, amount) =>
    `${many(count, text)} ${say('{n, plural, one {cadeau expire} other {cadeaux expirent}}', { n: count })} d’ici sept jours, le premier le ${day}\u00a0: ${amount} non acceptés`,
  expiringText: 'Les destinataires reçoivent d’abord un rappel. Vous pouvez leur donner plus de temps.',
  expiringAct: 'Voir les cadeaux',
  waiting: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {approbation vous attend} other {approbations vous attendent}}', { n: count })}`,
  waitingMore: (count) => say('{n, plural, one {et # autre} other {et # autres}}', { n: count }),
  waitingAct: 'Examiner',
  failedOrders: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {commande a échoué} other {commandes ont échoué}}', { n: count })} en 30 jours`,
  failedOrdersText: 'Aucun cadeau d’une commande en échec n’a été envoyé. Vous pouvez la relancer.',
  failedOrdersAct: 'Voir les commandes',
  notDone: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {message ou cadeau d’une automatisation n’a pas été envoyé} other {messages ou cadeaux d’automatisations n’ont pas été envoyés}}', { n: count })}`,
  notDoneText: 'Au cours des 30 derniers jours. Chacun indique son motif et la marche à suivre.',
  notDoneAct: 'Voir les motifs',
  exhaustedBudgets: (count, text) =>
    say('{n, plural, =1 {Un budget est épuisé} other {{text} budgets sont épuisés}}', { n: count, text }),
  exhaustedBudgetsText: 'Giftwire refuse les commandes tant qu’aucun montant n’est accordé',
  lowBudgets: (count, text) =>
    say('{n, plural, =1 {Le solde d’un budget est bas} other {{text} budgets ont un solde bas}}', { n: count, text }),
  lowBudgetsText: 'Accordez un montant avant que des commandes soient refusées',
  budgetsAct: 'Voir les budgets',
  erasuresToConfirm: (count, text) =>
    say(
      '{count, plural, one {# effacement attend une deuxième personne} other {{text} effacements attendent une deuxième personne}}',
      { count, text },
    ),
  erasuresToConfirmText: 'Une autre personne l’a demandé. Vous pouvez l’accepter ou l’arrêter.',
  erasuresToConfirmAct: 'Voir les effacements',
  openRequests: (count, text) =>
    say('{n, plural, =1 {1 demande à examiner} other {{text} demandes à examiner}}', { n: count, text }),
  openRequestsText: 'Par exemple un don. Marquez-la comme traitée ou refusez-la.',
  openRequestsAct: 'Voir les demandes',
  lowStocks: (count, text) =>
    say('{n, plural, =1 {1 type de carte-cadeau s’épuise} other {{text} types de cartes-cadeaux s’épuisent}}', {
      n: count,
      text,
    }),
  lowStocksText: 'Les destinataires ne peuvent pas choisir une carte-cadeau sans codes',
  lowStocksAct: 'Voir les réserves de codes',
  failingWebhooks: (count, text) =>
    `${many(count, text)} ${say('{n, plural, one {webhook est} other {webhooks sont}}', { n: count })} en échec`,
  failingWebhooksText: 'Vos systèmes ne reçoivent pas d’événements tant que le problème n’est pas réglé.',
  failingWebhooksAct: 'Voir les webhooks',
  ledgerProblems: (count) =>
    say('{n, plural, one {# problème trouvé} other {# problèmes trouvés}} dans le grand livre', { n: count }),
  ledgerProblemsText: 'La dernière vérification a trouvé des lignes qui ne concordent pas.',
  ledgerProblemsAct: 'Voir les problèmes',
  lastOwner: (day) => `Aucun propriétaire ne reste après le ${day}`,
  lastOwnerText:
    'Donnez le rôle Propriétaire à un autre utilisateur. D’ici là, le départ du dernier propriétaire n’est pas enregistré.',
  lastOwnerAct: 'Voir les utilisateurs',
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
    say(
      'Courbes de {weeks, plural, one {# semaine} other {# semaines}}. La dernière semaine : {gifts, plural, one {# cadeau} other {# cadeaux}}, {shoutouts, plural, one {# remerciement} other {# remerciements}}.',
      { weeks, gifts, shoutouts },
    ),
  table: 'Tableau',
  covered: 'Avec reconnaissance en 90 jours',
  yourPeople: (share) => `votre équipe ${share}`,
  company: (share) => `entreprise ${share}`,
  none: 'Sans service',
  forgotten: (count, text) =>
    `${text} ${say('{n, plural, one {personne n’a pas été reconnue} other {personnes n’ont pas été reconnues}}', { n: count })} depuis 90 jours`,
  allCovered: 'Chaque personne a reçu une reconnaissance au cours des 90 derniers jours.',
  latest: 'Dernières reconnaissances',
  all: 'Tout voir',
  thanked: 'a remercié',
  others: (people) => (people === null ? 'd’autres' : `${people} autres`),
  gift: 'Cadeau',
  shoutout: 'Remerciement',
  givesAmountTo: (recipient, amount) => `veut offrir à ${recipient} un cadeau de ${amount}`,
  waitsForApproval: 'attend une approbation',
  isPrivate: 'privé',
  firstSteps: (count) =>
    say(
      '{n, plural, =1 {Une étape avant le premier cadeau} =2 {Deux étapes avant le premier cadeau} =3 {Trois étapes avant le premier cadeau} =4 {Quatre étapes avant le premier cadeau} =5 {Cinq étapes avant le premier cadeau} =6 {Six étapes avant le premier cadeau} other {# étapes avant le premier cadeau}}',
      { n: count },
    ),
  stepsText: 'Chaque étape se coche automatiquement. La liste disparaît avec le premier cadeau que vous envoyez.',
  hideSteps: 'Masquer les étapes',
  stepDone: 'Fait',
  stepTest: 'Non connecté (test)',
  stepTestText:
    'Cet environnement de test n’a pas de serveur de messagerie\u00a0: les courriels n’en sortent pas. L’administrateur du serveur le configure.',
  stepChange: 'Modifier',
  whatRecipientsGet: 'Ce que reçoivent les destinataires',
  steps: {
    brand: [
      'Votre nom et votre couleur',
      'Les destinataires les voient dans les courriels et sur les pages des cadeaux.',
      'Définir la marque',
    ],
    people: ['Les personnes', 'Importez un fichier de votre système RH, avec les colonnes qu’il contient.', 'Importer'],
    email: [
      'Le courriel',
      'Giftwire envoie chaque cadeau par courriel. L’administrateur du serveur configure le serveur de messagerie.',
      'Configurer',
    ],
    spendingOptions: [
      'Les options d’utilisation',
      'Avec le salaire, en magasin, en carte-cadeau ou en don.',
      'Choisir',
    ],
    budget: ['Un budget', 'Il limite le total des cadeaux et le montant de chacun.', 'Fixer un budget'],
    gift: [
      'Le premier cadeau',
      'Envoyez-le à vous-même pour voir ce que voient les destinataires.',
      'Envoyer un cadeau',
    ],
  },
  firstTitle: 'Aucune reconnaissance pour l’instant',
  firstText:
    'Envoyez un cadeau ou un remerciement. Cette page montrera ensuite qui a reçu une reconnaissance et qui n’en a pas reçu.',
  firstAct: 'Envoyer le premier cadeau',
};
