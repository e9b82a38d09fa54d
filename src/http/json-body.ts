import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../errors.ts';

// Up to fifteen digits, a double returns a decimal number exactly as it was written.
const longNumber = /[\d.]{16}/;
const longestLiteral = 100;
const byteOrderMark = 0xfeff;

/** Reads JSON without changing anything on the way: no replaced bytes, no rounded numbers. */
export function parseJsonBody(headers: IncomingHttpHeaders, bytes: Buffer): unknown {
  const { 'content-encoding': encoding = 'identity', 'content-type': type = '' } = headers;
  if (encoding.toLowerCase() !== 'identity') throw new Failure('mediaType', 'The body must not be compressed.');
  if (/;\s*charset\s*=(?!\s*"?utf-?8\b)/i.test(type)) throw new Failure('mediaType', 'The body must be UTF-8.');
  if (!isUtf8(bytes)) throw new Failure('invalid', 'The body must be UTF-8.');
  const raw = bytes.toString('utf8');
  const text = raw.charCodeAt(0) === byteOrderMark ? raw.slice(1) : raw;
  try {
    return longNumber.test(text) ? JSON.parse(text, unroundedNumbers) : JSON.parse(text);
  } catch (cause) {
    const problem = text.trim() === '' ? 'is empty: it must be a JSON object' : 'is not valid JSON';
    throw new Failure('invalid', `The body ${problem}.`, { cause });
  }
}

/** A number that a double cannot hold as written becomes NaN, which no schema accepts. */
function unroundedNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  if (context.source.length > longestLiteral) return Number.NaN;
  return canonical(context.source) === canonical(String(value)) ? value : Number.NaN;
}

/** Sign, digits without leading or trailing zeros, and the power of ten behind them. */
function canonical(number: string): string {
  const [, sign = '', whole = '', fraction = '', power = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return `${sign}${significant}e${Number(power) - fraction.length + digits.length - significant.length}`;
}
