/** The format `text`: what PostgreSQL holds exactly, which is anything but NUL and lone surrogates. */
export function isText(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed();
}

export const notText = 'must be text without NUL or broken characters';

export function tooLong(most: number): string {
  return `must have at most ${most} characters`;
}

/** The problem of a text that has a maximum length; null if it is valid. */
export function textProblem(value: string, most: number): string | null {
  if (!isText(value)) return notText;
  // A text has at most as many characters as it has UTF-16 units, which are counted already.
  return value.length > most && [...value].length > most ? tooLong(most) : null;
}

/** The beginning of a text. The cut may leave half a character, which PostgreSQL would refuse: it is replaced. */
export function beginningOf(text: string, most: number): string {
  return text.slice(0, most).toWellFormed();
}

/** For messages: the beginning of a text and an ellipsis, or all of it if it is short. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${beginningOf(text, most)}…` : text;
}

/** The most characters that texts have which come in more than one way: by orders, SCIM, imports and pages. */
export const longest = {
  email: 254,
  employeeNumber: 64,
  /** Of a first or a last name. */
  name: 100,
  teamName: 200,
  /** Of an approver. */
  comment: 1_000,
};

/** Characters without a width. Joiners stay where they shape letters, as in Persian and in Indic scripts: not beside Latin letters, signs and spaces. */
const invisible =
  /[\u00ad\u200b\u200e\u200f\u2060-\u2064\ufeff]|(?<=^|[\0-\u02ff])[\u200c\u200d]+|[\u200c\u200d]+(?=[\0-\u02ff]|$)/g;
const isPlain = /^[ -~]*$/;

/** The one form of a text that looks the same: accents are part of their letters (NFC), and characters without a width are removed. */
export function plainText(text: string): string {
  if (isPlain.test(text)) return text;
  const visible = text.replace(invisible, '');
  // A space that stood behind a removed character ends the text now. Spaces that the caller has written stay.
  const plain = (visible === text ? text : visible.trim()).normalize('NFC');
  // What was composed may be a Latin letter now, beside a joiner.
  return plain === text ? text : plainText(plain);
}
