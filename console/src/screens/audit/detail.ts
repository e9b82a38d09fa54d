const mostShown = 3;

export interface DetailWords {
  /** Names of details, as `giftLimit`. One without a name here is shown as it is called in the interface. */
  fields: Record<string, string>;
  /** Words for values, as `OWNER`. */
  values: Record<string, string>;
  /** A time, as people read it. */
  moment: (time: string) => string;
  yes: string;
  no: string;
  /** The name of a person by the member id, where it is known. */
  nameOf?: (memberId: number) => string | null;
}

/** Proofs are for auditors and programs: the page of the proof and the file have them. */
const isProof = (name: string) => /^(sha256|hash|head)$/i.test(name);

/** Details that are the id of a person. */
const isPerson = (name: string) => /^(memberId|managerId|senderId|receiverId)$/.test(name);

/** What else is known of an entry: each detail with its name, unless its value says what it is. The file has all of them in full. */
export function detailText(detail: Record<string, unknown>, words: DetailWords): string {
  return Object.entries(detail)
    .map(([name, value]) => onePart(name, value, words))
    .filter(Boolean)
    .join(' · ');
}

function onePart(name: string, value: unknown, words: DetailWords): string {
  if (value === null || value === undefined || value === '' || isProof(name)) return '';
  if (isPerson(name) && typeof value === 'number') {
    const person = words.nameOf?.(value);
    if (person) return person;
  }
  if (Array.isArray(value)) return listed(value, words);
  if (typeof value === 'object') return detailText(value as Record<string, unknown>, words);
  const known = words.values[String(value)];
  if (known !== undefined) return known;
  const text = typeof value === 'boolean' ? (value ? words.yes : words.no) : timeOr(String(value), words);
  return /^[A-Z]{3}$/.test(text) ? text : `${words.fields[name] ?? name} ${text}`;
}

function timeOr(text: string, { moment }: DetailWords): string {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text) ? moment(text) : text;
}

function listed(values: readonly unknown[], words: DetailWords): string {
  const texts = values.map((value) =>
    typeof value === 'object' && value !== null
      ? detailText(value as Record<string, unknown>, words)
      : (words.values[String(value)] ?? String(value)),
  );
  const more = texts.length - mostShown;
  return texts.slice(0, mostShown).join(', ') + (more > 0 ? ` +${more}` : '');
}

/** The members that details name by their ids. */
export function peopleIn(detail: unknown): number[] {
  if (typeof detail !== 'object' || detail === null) return [];
  return Object.entries(detail).flatMap(([name, value]) =>
    isPerson(name) && typeof value === 'number' ? [value] : peopleIn(value),
  );
}
