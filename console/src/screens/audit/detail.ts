import type { AuditEntry } from '@giftwire/sdk';

const mostShown = 3;

export interface DetailWords {
  /** Names of details, for example of `giftLimit`. A detail without a name is left to the file, which has all in full. */
  fields: Readonly<Record<string, string>>;
  /** Words for values, for example for `OWNER`. */
  values: Readonly<Record<string, string>>;
  moment: (time: string) => string;
  money: (amount: number, currency: string) => string;
  number: (value: number) => string;
  /** A detail with its name. */
  named: (field: string, value: string) => string;
  /** The gifts of one order, whose id says nothing to people. */
  oneOrder: string;
  yes: string;
  no: string;
  none: string;
  /** The name of a person by the member id, where it is known. */
  nameOf: (memberId: number) => string | null;
}

type Told = Pick<AuditEntry, 'action' | 'subjectName' | 'detail'>;

/** What holds for all details of an entry. */
interface Context {
  action: string;
  /** Of the amounts. */
  currency: string | null;
  words: DetailWords;
}

const amounts = new Set(['amount', 'giftLimit', 'value', 'minAmount', 'maxAmount']);
const people = new Set(['memberId', 'managerId', 'senderId', 'receiverId', 'member']);
/** Details that are the id of a person in entries of one action alone. */
const peopleOf: Record<string, string> = { 'member.split': 'added', 'member.merged': 'from' };

const isPerson = (action: string, name: string) => people.has(name) || peopleOf[action] === name;

/** What else is known of an entry: each detail with its name, unless its value says what it is. Ids and hashes are left to the file. */
export function detailText({ action, subjectName, detail }: Told, words: DetailWords): string {
  // Its reason is a sentence of the service's log.
  if (action === 'history.started') return '';
  const currency = action.startsWith('budget.') ? subjectName : null;
  return partsOf(detail, { action, currency, words }).join(' · ');
}

function partsOf(detail: object, context: Context): string[] {
  const known = Object.entries(detail).find(([name]) => name === 'currency')?.[1];
  const currency = typeof known === 'string' ? known : context.currency;
  const isSaid = Object.entries(detail).some(([name, value]) => amounts.has(name) && typeof value === 'number');
  return Object.entries(detail)
    .filter(([name]) => name !== 'currency' || !isSaid)
    .flatMap(([name, value]) => partOf(name, value, { ...context, currency }))
    .filter(Boolean);
}

function partOf(name: string, value: unknown, context: Context): string[] {
  const { action, words } = context;
  if (value === undefined || value === '') return [];
  if (isPerson(action, name)) return typeof value === 'number' ? [words.nameOf(value) ?? ''] : [];
  if (name === 'requestId') return [words.oneOrder];
  if (name === 'ids' && Array.isArray(value)) return partOf('gifts', value.length, context);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return partsOf(value, context);
  if (Array.isArray(value) && value.some((one) => typeof one === 'object'))
    return cut(value.map((one) => partsOf(one as object, context).join(' · ')));
  const field = words.fields[name];
  if (field === undefined) return [];
  // A change says what was taken away too.
  if (value === null) return action.endsWith('.changed') ? [words.named(field, words.none)] : [];
  const text = Array.isArray(value) ? cut(value.map((one) => textOf(name, one, context))).join(', ') : null;
  if (text !== null) return [words.named(field, text || words.none)];
  return [
    isWord(value, words) && name !== 'before'
      ? textOf(name, value, context)
      : words.named(field, textOf(name, value, context)),
  ];
}

/** Whether a value says what it is without the name of the detail. */
function isWord(value: unknown, { values }: DetailWords): boolean {
  return typeof value === 'string' && (values[value] !== undefined || /^[A-Z]{3}$/.test(value));
}

function textOf(name: string, value: unknown, { currency, words }: Context): string {
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  if (typeof value === 'number')
    return amounts.has(name) && currency ? words.money(value, currency) : words.number(value);
  const text = String(value);
  if (name === 'eventId') return text.split('_').at(-1) ?? '';
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return words.moment(text);
  return words.values[text] ?? text;
}

function cut(texts: readonly string[]): string[] {
  const more = texts.length - mostShown;
  return more > 0 ? [...texts.slice(0, mostShown - 1), `${texts[mostShown - 1]} +${more}`] : [...texts];
}

/** The members that the details of an entry name by their ids. */
export function peopleIn({ action, detail }: Pick<AuditEntry, 'action' | 'detail'>): number[] {
  return idsIn(action, detail);
}

function idsIn(action: string, detail: unknown): number[] {
  if (typeof detail !== 'object' || detail === null) return [];
  return Object.entries(detail).flatMap(([name, value]) =>
    isPerson(action, name) && typeof value === 'number' ? [value] : idsIn(action, value),
  );
}
