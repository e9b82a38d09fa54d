import { speak } from '../speak.ts';

const say = speak('en');

/** Counts end at 1,000. */
const many = (count: number, text: string) => (count >= 1_000 ? `${text} or more` : text);

export const home = {
  morning: (name: string) => (name ? `Good morning, ${name}` : 'Good morning'),
  afternoon: (name: string) => (name ? `Good afternoon, ${name}` : 'Good afternoon'),
  evening: (name: string) => (name ? `Good evening, ${name}` : 'Good evening'),
  today: (day: string) => `${day}.`,
  noName: (address: string) => `Gifts you send show ${address} as the sender.`,
  chooseName: 'Add your name',
  nothingToDo: 'No open tasks.',
  things: (count: number) =>
    say(
      '{n, plural, =1 {One open task.} =2 {Two open tasks.} =3 {Three open tasks.} =4 {Four open tasks.} =5 {Five open tasks.} =6 {Six open tasks.} other {# open tasks.}}',
      { n: count },
    ),
  attention: 'Needs attention',
  failed: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {gift} other {gifts}}', { n: count })} could not be sent`,
  failedText: (name: string, when: string) => `Their emails bounced or were rejected. Latest: ${name}, ${when}`,
  failedAct: 'Correct addresses',
  noAddress: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {gift has} other {gifts have}}', { n: count })} no email address`,
  noAddressText: 'Print them, or add an email address',
  noAddressAct: 'See gifts',
  expiring: (count: number, text: string, day: string, amount: string) =>
    `${many(count, text)} ${say('{n, plural, one {gift expires} other {gifts expire}}', { n: count })} within seven days, the first on ${day}: ${amount} not claimed`,
  expiringText: 'Recipients get a reminder first. You can give them more time.',
  expiringAct: 'See gifts',
  waiting: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {approval waits} other {approvals wait}}', { n: count })} for you`,
  waitingMore: (count: number) => say('{n, plural, one {and # more} other {and # more}}', { n: count }),
  waitingAct: 'Review',
  failedOrders: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {order} other {orders}}', { n: count })} failed in 30 days`,
  failedOrdersText: 'No gift of a failed order was sent. You can retry it.',
  failedOrdersAct: 'See orders',
  notDone: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {message or gift of an automation was} other {messages or gifts of automations were}}', { n: count })} not sent`,
  notDoneText: 'In the last 30 days. Each has its reason and what to do.',
  notDoneAct: 'See reasons',
  exhaustedBudgets: (count: number, text: string) =>
    say('{n, plural, =1 {A budget is used up} other {{text} budgets are used up}}', { n: count, text }),
  exhaustedBudgetsText: 'Giftwire rejects orders until money is granted',
  lowBudgets: (count: number, text: string) =>
    say('{n, plural, =1 {A budget is low} other {{text} budgets are low}}', { n: count, text }),
  lowBudgetsText: 'Grant money before orders are rejected',
  budgetsAct: 'See budgets',
  erasuresToConfirm: (count: number, text: string) =>
    say('{count, plural, one {# erasure waits for a second person} other {{text} erasures wait for a second person}}', {
      count,
      text,
    }),
  erasuresToConfirmText: 'Another person has asked for it. You can agree or stop it.',
  erasuresToConfirmAct: 'See erasures',
  openRequests: (count: number, text: string) =>
    say('{n, plural, =1 {1 request to review} other {{text} requests to review}}', { n: count, text }),
  openRequestsText: 'For example a donation. Mark it as done or decline it.',
  openRequestsAct: 'See requests',
  lowStocks: (count: number, text: string) =>
    say('{n, plural, =1 {1 kind of gift card is running out} other {{text} kinds of gift cards are running out}}', {
      n: count,
      text,
    }),
  lowStocksText: 'Recipients cannot choose a gift card without codes',
  lowStocksAct: 'See code pools',
  failingWebhooks: (count: number, text: string) =>
    `${many(count, text)} ${say('{n, plural, one {webhook is} other {webhooks are}}', { n: count })} failing`,
  failingWebhooksText: 'Your systems get no events until the problem is fixed.',
  failingWebhooksAct: 'See webhooks',
  ledgerProblems: (count: number) =>
    say('{n, plural, one {# problem} other {# problems}} found in the ledger', { n: count }),
  ledgerProblemsText: 'The latest verification found rows that do not agree.',
  ledgerProblemsAct: 'See problems',
  lastOwner: (day: string) => `No owner stays after ${day}`,
  lastOwnerText: 'Make another user an owner. Until then, the last owner is not marked as left.',
  lastOwnerAct: 'See users',
  soFar: (month: string) => `${month} so far`,
  beside: (days: string, before: string) => `${days}, compared with ${before}`,
  giftsSent: 'Gifts sent',
  value: 'Value',
  noValue: 'No gifts yet',
  recognized: 'People recognized',
  claimed: 'Gifts claimed',
  from: (before: string) => `was ${before}`,
  asBefore: (before: string) => `unchanged from ${before}`,
  ofPeople: (share: string, people: string) => `${share} of ${people}`,
  byWeek: 'Recognition by week',
  gifts: 'Gifts',
  shoutouts: 'Shoutouts',
  byWeekLabel: (weeks: number, gifts: number, shoutouts: number) =>
    say(
      'Line chart of {weeks, plural, one {# week} other {# weeks}}. Last week: {gifts, plural, one {# gift} other {# gifts}}, {shoutouts, plural, one {# shoutout} other {# shoutouts}}.',
      { weeks, gifts, shoutouts },
    ),
  table: 'Table',
  covered: 'Recognized in 90 days',
  yourPeople: (share: string) => `your people ${share}`,
  company: (share: string) => `company ${share}`,
  none: 'No department',
  forgotten: (count: number, text: string) =>
    `${text} ${say('{n, plural, one {person was} other {people were}}', { n: count })} not recognized for 90 days`,
  allCovered: 'Every person was recognized in the last 90 days.',
  latest: 'Latest recognition',
  all: 'See all',
  thanked: 'thanked',
  others: (people: number | null) => (people === null ? 'others' : `${people} others`),
  gift: 'Gift',
  shoutout: 'Shoutout',
  givesAmountTo: (recipient: string, amount: string) => `wants to give ${recipient} a gift of ${amount}`,
  waitsForApproval: 'waits for approval',
  isPrivate: 'private',
  firstSteps: (count: number) =>
    say(
      '{n, plural, =1 {One step to the first gift} =2 {Two steps to the first gift} =3 {Three steps to the first gift} =4 {Four steps to the first gift} =5 {Five steps to the first gift} =6 {Six steps to the first gift} other {# steps to the first gift}}',
      { n: count },
    ),
  stepsText: 'Each step ticks itself off. The list disappears with the first gift that you send.',
  hideSteps: 'Hide steps',
  stepDone: 'Done',
  stepTest: 'Not connected (test)',
  stepTestText:
    'This is a test environment without a mail server: emails do not leave it. An operator sets the mail server.',
  stepChange: 'Change',
  whatRecipientsGet: 'What recipients get',
  /** Each: the step, what it is for, its button. */
  steps: {
    brand: ['Your name and colour', 'Recipients see them in emails and on gift pages.', 'Set brand'],
    people: ['Your people', 'Import a file from your HR system, with the columns that it has.', 'Import people'],
    email: ['Email', 'Giftwire emails each gift to its recipient. An operator sets the mail server.', 'Set up email'],
    spendingOptions: [
      'Spending options',
      'With the salary, in a shop, as a gift card or for charity.',
      'Choose options',
    ],
    budget: ['A budget', 'It limits what is spent on gifts, and on one gift.', 'Set budget'],
    gift: ['The first gift', 'Send it to yourself to see what recipients see.', 'Send a gift'],
  } satisfies Record<string, [title: string, text: string, act: string]>,
  firstTitle: 'No recognition yet',
  firstText: 'Send a gift or give a shoutout. This page then shows who was recognized and who was not.',
  firstAct: 'Send the first gift',
};
