const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);
/** Counts end at 1,000. */
const many = (count: number, text: string) => (count >= 1_000 ? `${text} or more` : text);

export const home = {
  morning: (name: string) => (name ? `Good morning, ${name}` : 'Good morning'),
  afternoon: (name: string) => (name ? `Good afternoon, ${name}` : 'Good afternoon'),
  evening: (name: string) => (name ? `Good evening, ${name}` : 'Good evening'),
  today: (day: string) => `${day}.`,
  noName: (address: string) => `Gifts that you send come from ${address}.`,
  chooseName: 'Choose your name',
  nothingToDo: 'Nothing waits for you.',
  things: (count: number) =>
    count === 1
      ? 'One thing to look at.'
      : `${['', '', 'Two', 'Three', 'Four', 'Five', 'Six'][count] ?? count} things to look at.`,
  attention: 'Needs attention',
  failed: (count: number, text: string) => `${many(count, text)} ${plural(count, 'gift', 'gifts')} could not be sent`,
  failedText: (name: string, when: string) => `Their mail came back or was refused. Newest: ${name}, ${when}`,
  failedAct: 'Correct addresses',
  noAddress: (count: number, text: string) =>
    `${many(count, text)} ${plural(count, 'gift waits', 'gifts wait')} for an e-mail address`,
  noAddressText: 'Print them, or add an address',
  noAddressAct: 'Choose',
  expiring: (count: number, text: string, day: string, amount: string) =>
    `${many(count, text)} ${plural(count, 'gift ends', 'gifts end')} within seven days, the first on ${day}: ${amount} not claimed`,
  expiringText: 'People are reminded before. You can give them more time.',
  expiringAct: 'See gifts',
  waiting: (count: number, text: string) =>
    `${many(count, text)} ${plural(count, 'shoutout waits', 'shoutouts wait')} for approval`,
  waitingText: (days: number) =>
    days < 1 ? 'The oldest since today' : `The oldest for ${days} ${plural(days, 'day', 'days')}`,
  waitingAct: 'Review',
  failedOrders: (count: number, text: string) =>
    `${many(count, text)} ${plural(count, 'order', 'orders')} failed in 30 days`,
  failedOrdersText: 'No gift of a failed order was sent. You can try it again.',
  failedOrdersAct: 'See orders',
  exhaustedBudgets: (count: number, text: string) =>
    count === 1 ? 'A budget is used up' : `${text} budgets are used up`,
  exhaustedBudgetsText: 'Orders that draw on it are refused until money is granted',
  lowBudgets: (count: number, text: string) => (count === 1 ? 'A budget is low' : `${text} budgets are low`),
  lowBudgetsText: 'Grant money before orders are refused',
  budgetsAct: 'See budgets',
  openRequests: (count: number, text: string) =>
    count === 1 ? 'A recipient asks for something' : `${text} recipients ask for something`,
  openRequestsText: 'A donation, for instance: do it or decline it',
  openRequestsAct: 'See requests',
  lowStocks: (count: number, text: string) =>
    count === 1 ? 'Codes of a shop run out' : `Codes of ${text} kinds run out`,
  lowStocksText: 'Recipients cannot choose what has no codes',
  lowStocksAct: 'See pools',
  failingWebhooks: (count: number, text: string) =>
    `${many(count, text)} ${plural(count, 'endpoint does', 'endpoints do')} not take events`,
  failingWebhooksText: 'Other systems miss what happens here until it is put right.',
  failingWebhooksAct: 'See webhooks',
  soFar: (month: string) => `${month} so far`,
  beside: (days: string, before: string) => `${days} beside ${before}`,
  giftsSent: 'Gifts sent',
  value: 'Value',
  noValue: 'No gifts yet',
  recognized: 'People recognized',
  claimed: 'Gifts claimed',
  from: (before: string) => `from ${before}`,
  asBefore: (before: string) => `${before} as before`,
  ofPeople: (share: string, people: string) => `${share} of ${people}`,
  byWeek: 'Recognition by week',
  gifts: 'Gifts',
  shoutouts: 'Shoutouts',
  byWeekLabel: (weeks: number, gifts: string, shoutouts: string) =>
    `Line chart of ${weeks} weeks. In the last week there were ${gifts} gifts and ${shoutouts} shoutouts.`,
  table: 'Table',
  covered: 'Recognized in 90 days',
  company: (share: string) => `company ${share}`,
  none: 'No department',
  forgotten: (count: number, text: string) =>
    `${text} ${plural(count, 'person was', 'people were')} not recognized for 90 days`,
  allCovered: 'Everybody was recognized in 90 days.',
  latest: 'Latest',
  all: 'All recognition',
  thanked: 'thanked',
  others: (people: number | null) => (people === null ? 'others' : `${people} others`),
  gift: 'Gift',
  shoutout: 'Shoutout',
  waitsForApproval: 'waits for approval',
  isPrivate: 'private',
  firstTitle: 'Nobody was thanked here yet',
  firstText: 'Send a gift or say thanks, and this page shows who was recognized and who was forgotten.',
  firstAct: 'Send the first gift',
};
