import { naughtyStrings } from '../support/naughty-strings.ts';
import type { Random } from '../support/random.ts';
import type { Draft } from './request.ts';
import type { Json } from './values.ts';

const junk: readonly Json[] = [
  ...[null, true, false, '', ' ', 'x', [], {}, [[]], { a: 1 }, [null], 'a\0b', '\ud800', 'x'.repeat(3_000)],
  ...[0, -1, 1, 1.5, 0.001, 1e15, 2 ** 53, 2 ** 63, 1e19, 1e300, -1e300, 12_345_678_901],
];
/** Parts of a path that do not change which operation it is. */
const parts = ['0', '-1', 'x', '1e3', '1.0', '9223372036854775808', '%', ' ', "' or 1=1 --", 'a\0b', '🎁', '1/2'];
const media = ['text/plain', 'application/xml', 'application/json; charset=latin1', ';', 'application/*', ''];
const accepts = ['text/html', 'image/*', 'application/json;q=0', 'text/csv', '*/*', 'text/csv;q=0.5, */*;q=0.1', ''];

/** One thing about a request is wrong or unusual. */
export function spoilOne(draft: Draft, random: Random): Draft {
  const hasBody = draft.body !== undefined;
  const hasPath = Object.keys(draft.path).length > 0;
  const spoil = random.pick([
    ...(hasBody ? [spoilBody, spoilBody, spoilBody, spoilBody, spoilWriting, spoilMedia] : [addBody]),
    ...(hasPath ? [spoilPath] : []),
    ...(draft.operation.parameters.some((one) => one.in === 'query') ? [spoilQuery, spoilQuery] : []),
    addQuery,
    spoilHeaders,
    spoilAccept,
  ]);
  return spoil(draft, random);
}

/** Nothing about the request is as it should be, except its address. */
export function spoilAll(draft: Draft, random: Random): Draft {
  let spoilt = draft;
  for (const spoil of [spoilHeaders, addQuery, spoilQuery, spoilPath])
    if (random.chance(0.5)) spoilt = spoil(spoilt, random);
  if (draft.body === undefined) return spoilt;
  return random.chance(0.5) ? spoilWriting(spoilt, random) : { ...spoilt, body: random.pick(junk) };
}

type Place = [holder: Json, key: string | number];

/** Every place of a body in which a value stands. */
function placesOf(value: Json): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  return Object.keys(value).flatMap((key) => [[value, key] as Place, ...placesOf(value[key])]);
}

function spoilBody(draft: Draft, random: Random): Draft {
  if (typeof draft.body !== 'object' || draft.body === null || draft.body instanceof Uint8Array)
    return spoilWriting(draft, random);
  const body = structuredClone(draft.body);
  const places = placesOf(body);
  const [holder, key]: Place = places.length > 0 ? random.pick(places) : [body, 'unknown'];
  const value = holder[key];
  random.pick([
    () => delete holder[key],
    () => {
      holder[key] = random.pick(junk);
    },
    () => {
      holder[key] = random.pick(naughtyStrings);
    },
    () => {
      holder[`${key}s`] = value ?? 1;
    },
    () => {
      holder[key] = typeof value === 'number' ? -value : [value];
    },
    () => {
      holder[key] = Array.isArray(value) ? Array(1_001).fill(value[0] ?? 1) : String(value).toUpperCase();
    },
  ])();
  return { ...draft, body };
}

/** The body as text that is not quite JSON, or not quite the file. */
function spoilWriting(draft: Draft, random: Random): Draft {
  const { body } = draft;
  const text = typeof body === 'string' ? body : body instanceof Uint8Array ? '{}' : (JSON.stringify(body) ?? '{}');
  const written = random.pick([
    () => text.slice(0, random.int(0, text.length)),
    () => `${text}${random.pick(['}', ',', ' x', '\0'])}`,
    () => text.replace('{', '{"a":1,"a":2,'),
    () => text.replaceAll(':', random.pick(['=', '::', ':NaN,'])),
    () => `\ufeff${text}`,
    () => '['.repeat(random.int(1, 3_000)),
    () => '',
    () => random.pick(['null', '1', '"x"', '[]', '{}', 'undefined', '1e400', '{"a":123456789012345678901234}']),
    () => new Uint8Array(Array.from({ length: random.int(1, 200) }, () => random.int(0, 255))),
    () => (random.chance(0.02) ? ' '.repeat(17 * 1024 * 1024) : ' '.repeat(3_000)),
  ])();
  return { ...draft, body: written };
}

function spoilMedia(draft: Draft, random: Random): Draft {
  return { ...draft, headers: { ...draft.headers, 'Content-Type': random.pick(media) } };
}

/** A body where none is read. A client cannot send one with GET. */
function addBody(draft: Draft, random: Random): Draft {
  if (draft.operation.method === 'GET') return addQuery(draft, random);
  const type = random.pick(['application/json', 'text/plain', 'application/scim+json', 'text/csv']);
  return { ...draft, headers: { ...draft.headers, 'Content-Type': type }, body: random.pick(['{', '{}', 'x', '[1]']) };
}

function spoilPath(draft: Draft, random: Random): Draft {
  const names = Object.keys(draft.path);
  if (names.length === 0) return draft;
  return { ...draft, path: { ...draft.path, [random.pick(names)]: random.pick(parts) } };
}

function spoilQuery(draft: Draft, random: Random): Draft {
  const names = draft.operation.parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  if (names.length === 0) return draft;
  const name = random.pick(names);
  const value = random.pick([...parts, '', 'null', '[]', 'true', '2026-02-30', 'x'.repeat(2_000), ...naughtyStrings]);
  const others = random.chance(0.7) ? draft.query.filter(([other]) => other !== name) : draft.query;
  return { ...draft, query: [...others, [name, value.isWellFormed() ? value : 'x']] };
}

function addQuery(draft: Draft, random: Random): Draft {
  const [name = 'unknown'] = random.pick([...draft.query, ['siez'], ['__proto__'], ['page[]']]);
  return { ...draft, query: [...draft.query, [name, random.pick(parts)]] };
}

function spoilHeaders(draft: Draft, random: Random): Draft {
  const other: Record<string, string> = random.pick([
    { 'X-Workspace-id': random.pick(['', '0', '-1', 'x', '99999999999999999999', '1, 1', '2']) },
    { 'Idempotency-Key': random.pick(['', ' ', 'x'.repeat(256), 'once', 'é', '🎁']) },
    { 'Content-Encoding': random.pick(['gzip', 'br', 'x']) },
    { 'X-Customer-Request-Id': random.pick(['', 'x'.repeat(256), 'é']) },
    { 'If-Match': random.pick(['', '*', 'x', '"1"', 'W/"1"', '"1", "2"']) },
    { 'If-None-Match': random.pick(['', '*', '"1"']) },
    { Origin: 'https://elsewhere.example' },
    { Cookie: 'giftwire=x' },
  ]);
  return { ...draft, headers: { ...draft.headers, ...other } };
}

function spoilAccept(draft: Draft, random: Random): Draft {
  return { ...draft, headers: { ...draft.headers, Accept: random.pick(accepts) } };
}
