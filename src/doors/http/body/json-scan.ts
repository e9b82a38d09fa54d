import { Failure } from '../../../ground/errors.ts';

const maxDepth = 100;
/** Up to fifteen digits, a double returns a decimal number exactly as it was written. */
const maxExactLength = 15;
/** A longer number always counts as inexact. */
const longestLiteral = 100;
/** What `JSON.parse` reads as Infinity, which no schema accepts. */
const unrepresentable = '1e999';

const [quote, backslash] = [0x22, 0x5c];
const [skipped, text, separator, nameEnd, opening, closing, number] = [0, 1, 2, 3, 4, 5, 6];
const kinds = new Uint8Array(256).fill(skipped);
for (const [characters, kind] of [
  ['"', text],
  [',', separator],
  [':', nameEnd],
  ['[{', opening],
  [']}', closing],
  ['-0123456789', number],
] as const)
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;

/**
 * Scans JSON before it is parsed, in steps of about `stepBytes`: counts its keys, refuses a body that has too many values or is
 * nested too deeply, and replaces numbers that a double cannot hold as written. The parser finds everything else that is
 * wrong. Returns the number of keys.
 */
export function* scanJson(bytes: Buffer, maxValues: number, stepBytes: number): Generator<undefined, number> {
  let [keys, values, depth, at] = [0, 1, 0, 0];
  while (at < bytes.length) {
    const pause = Math.min(at + stepBytes, bytes.length);
    while (at < pause) {
      const kind = kinds[bytes[at] as number];
      const start = at++;
      if (kind === skipped) continue;
      if (kind === text) at = endOfString(bytes, at);
      else if (kind === nameEnd) keys++;
      else if (kind === closing) depth--;
      else if (kind === number) {
        while (at < bytes.length && inNumbers[bytes[at] as number] === 1) at++;
        if (at - start > maxExactLength) replaceInexact(bytes, start, at);
      } else {
        if (kind === opening && ++depth > maxDepth) throw tooDeep();
        if (++values > maxValues) throw tooManyValues(maxValues);
      }
    }
    if (at < bytes.length) yield;
  }
  return keys;
}

function tooDeep(): Failure {
  return new Failure('invalid', `The body is nested too deeply: it may have at most ${maxDepth} levels.`);
}

function tooManyValues(maxValues: number): Failure {
  return new Failure('tooLarge', `The body has too many values: it may have at most ${maxValues}.`);
}

/** Native code searches for the end of longer strings. */
const shortString = 64;

/** The position behind the closing quote of a string, from the position behind its opening quote. */
export function endOfString(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; ) {
    for (const stop = at + shortString; at < stop; at++) {
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte === backslash) at++;
    }
    const end = bytes.indexOf(quote, at);
    if (end < 0) return bytes.length;
    let escapes = 0;
    while (end - escapes > at && bytes[end - escapes - 1] === backslash) escapes++;
    if (escapes % 2 === 0) return end + 1;
    at = end + 1;
  }
  return bytes.length;
}

const inNumbers = new Uint8Array(256);
for (const character of '0123456789+-.eE') inNumbers[character.charCodeAt(0)] = 1;

function replaceInexact(bytes: Buffer, start: number, end: number): void {
  // The parser refuses what is not a number.
  if (!isNumber(bytes, start, end)) return;
  const isShort = end - start <= longestLiteral;
  const literal = isShort ? bytes.toString('latin1', start, end) : '';
  if (isShort && canonical(literal) === canonical(String(Number(literal)))) return;
  bytes.fill(' ', start, end).write(unrepresentable, start, 'latin1');
}

/** Whether the bytes are a number as JSON writes it. A regular expression would need memory for each digit of a long one. */
function isNumber(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  const isNext = (characters: string) => at < end && characters.includes(String.fromCharCode(bytes[at] as number));
  const passDigits = () => {
    const first = at;
    while (at < end && (bytes[at] as number) >= 0x30 && (bytes[at] as number) <= 0x39) at++;
    return at > first;
  };
  if (isNext('-')) at++;
  if (isNext('0')) at++;
  else if (!passDigits()) return false;
  if (isNext('.')) {
    at++;
    if (!passDigits()) return false;
  }
  if (isNext('eE')) {
    at++;
    if (isNext('+-')) at++;
    if (!passDigits()) return false;
  }
  return at === end;
}

/** Sign, digits without leading or trailing zeros, and the power of ten behind them. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}
