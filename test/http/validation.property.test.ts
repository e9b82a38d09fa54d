import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { currencies, minorDigits } from '../../src/ground/values/money.ts';
import fc from '../support/fast-check.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { runs } from '../support/runs.ts';
import { type Answer, startService } from '../support/service.ts';

const service = await startService({ logLevel: 'warn' });

const pathForm =
  /^(The body|orderItems|currency|language|orderItems\[\d+\](\.(message|amount|recipient(\.(firstName|lastName|email|employeeNumber))?))?)$/;

/** The fields that a refusal names; anything but a refusal in the exact envelope is a failure. */
function namedPaths({ status, body, headers }: Answer<unknown>): string[] {
  const problem = body as { status: number; message: string; type: string };
  const seen = JSON.stringify({ status, body });
  assert.ok(status >= 400 && status < 500, seen);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.deepEqual(Object.keys(problem), ['status', 'message', 'type'], seen);
  assert.deepEqual([problem.status, problem.type], [status, 'invalid_field'], seen);
  assert.doesNotMatch(problem.message, /undefined|NaN|\[object| {2}/, seen);
  return problem.message.split('; ').map((part) => part.replace(/ (must|is) .*$/s, ''));
}

async function checkRefusal(answer: Answer<OrderRequestStatus>): Promise<void> {
  if (answer.status === 201) return;
  const paths = namedPaths(answer);
  assert.equal(answer.status, 400);
  // A duplicate key is named at any depth, also inside unknown fields.
  if (JSON.stringify(answer.body).includes(' must be given once.')) return;
  for (const path of paths) assert.match(path, pathForm, JSON.stringify(answer.body));
}

const nastyTexts = [
  'nul \u0000 inside',
  'lone \ud800 high',
  '\udfff',
  '\ud800\ud800',
  '‮bidi⁦',
  '\u0007\u001b[31m',
  '\ufeff',
  '\uffff\ufffe',
  "'; drop table members; --",
  'x'.repeat(5_000),
  '\u{1f381}'.repeat(1_001),
  '',
  ' \t\n\u00a0\u3000',
  '__proto__',
];
const anyText = fc.oneof(fc.constantFrom(...nastyTexts), fc.string({ unit: 'binary', maxLength: 30 }), fc.string());
const extremeNumbers = [
  '1e400',
  '-1e400',
  '-0',
  '0',
  '1e-7',
  '1e-400',
  '-5',
  '25.001',
  '10000.01',
  '0.99',
  '123456789012345678901234567890',
  '1.0000000000000000000001',
  '9007199254740993',
  '5e-324',
];
const wrongJson = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '[[[[[]]]]]',
    '[5]',
    '["CAD"]',
    '{"a":{"b":[1]}}',
    ...extremeNumbers,
  ),
  anyText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 2 }),
);

test('any JSON body is answered with 201 or a 4xx in the error form', async () => {
  const object = (keys: string[], value: fc.Arbitrary<string>) =>
    fc
      .array(fc.tuple(fc.constantFrom(...keys), value), { maxLength: keys.length + 1 })
      .map((entries) => `{${entries.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`);
  const extra = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '0', ''];
  const maybe = (value: fc.Arbitrary<string>) => fc.oneof({ weight: 3, arbitrary: value }, wrongJson);
  const recipient = object(['firstName', 'lastName', 'email', 'employeeNumber', ...extra], wrongJson);
  const gift = object(['message', 'amount', 'recipient', ...extra], maybe(recipient));
  const gifts = fc.array(maybe(gift), { maxLength: 3 }).map((items) => `[${items.join(',')}]`);
  const order = object(['orderItems', 'currency', 'language', ...extra], maybe(gifts));
  await fc.assert(
    fc.asyncProperty(fc.oneof(order, wrongJson, fc.json()), async (text) => checkRefusal(await service.create(text))),
    { numRuns: runs(200) },
  );
});

test('any bytes that are not an order are answered with a 4xx in the error form', async () => {
  const valid = Buffer.from(JSON.stringify(anOrder()));
  const damaged = fc.tuple(fc.nat(valid.length - 1), fc.nat(255)).map(([at, byte]) => {
    const bytes = Uint8Array.from(valid);
    bytes[at] = byte;
    return bytes;
  });
  const bytes = fc.oneof(
    damaged,
    fc.uint8Array({ maxLength: 50 }),
    fc.string().map((text) => new TextEncoder().encode(text)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (body) => {
      const answer = await service.create(Uint8Array.from(body));
      if (answer.status !== 201) namedPaths(answer);
    }),
    { numRuns: runs(150) },
  );
  for (const text of [
    '',
    '  ',
    '{',
    '{"currency":"CAD",}',
    '[1',
    'nul',
    `${'['.repeat(200_000)}`,
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
  ]) {
    const answer = await service.create(text);
    namedPaths(answer);
    assert.equal(answer.status, 400);
  }
});

/** A piece of JSON text, with what the service must make of it. */
interface Piece {
  text: string;
  ok: boolean;
  /** What is stored; undefined if it counts as absent. */
  kept?: unknown;
}

const absent: Piece = { text: '', ok: true };
const good = (value: unknown, kept = value): Piece => ({ text: JSON.stringify(value), ok: true, kept });
const bad = (text: string): Piece => ({ text, ok: false });
const mostly = (valid: fc.Arbitrary<Piece>, faulty: fc.Arbitrary<Piece>) =>
  fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: faulty });
const wrongType = fc.constantFrom('5', 'true', '[]', '{}', '["x"]', '1e400').map(bad);
const broken = fc.constantFrom('a\u0000b', 'a\ud800b', '\udfff').map((text) => bad(JSON.stringify(text)));
const nullOr = (piece: fc.Arbitrary<Piece>) =>
  fc.oneof(
    { weight: 4, arbitrary: piece },
    { weight: 1, arbitrary: fc.constantFrom(absent, { text: 'null', ok: true }) },
  );

const storableText = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: Math.min(maxLength, 20) }),
      fc.constantFrom(
        '‮bidi⁦',
        '\u0001\u001b',
        '\uffff',
        '\u{1f381}'.repeat(maxLength),
        '"\\/\b\f\u2028',
        ' padded\t',
        'null',
        '\ufffd',
      ),
    )
    .filter(
      (text) =>
        text.isWellFormed() && !text.includes('\0') && text.trim() !== '' && [...text.trim()].length <= maxLength,
    );
const trimmedText = (maxLength: number) => storableText(maxLength).map((text) => good(text, text.trim()));
const tooLong = (maxLength: number) => fc.constant(bad(JSON.stringify('\u{1f381}'.repeat(maxLength + 1))));
const blank = fc
  .constantFrom('', ' ', '\t\n', '\u00a0')
  .map((text): Piece => ({ text: JSON.stringify(text), ok: true }));

const name = mostly(nullOr(fc.oneof(trimmedText(100), blank)), fc.oneof(wrongType, broken, tooLong(100)));
const email = mostly(
  fc.tuple(fc.emailAddress(), fc.boolean()).map(([address, upper]) => good(upper ? address.toUpperCase() : address)),
  fc.oneof(
    wrongType,
    broken,
    fc.constantFrom('"nobody"', '"a@b@c.io"', '" a@example.com"', '"a@example.com\\n"').map(bad),
  ),
);
const employeeNumber = mostly(trimmedText(64), fc.oneof(wrongType, broken, tooLong(64)));
const message = mostly(
  trimmedText(1000),
  fc.oneof(
    wrongType,
    broken,
    tooLong(1000),
    fc.constantFrom('null', '""', '" "').map(bad),
    fc.constant({ ...absent, ok: false }),
  ),
);

/** Cents as text, written in one of the many ways in which JSON can write the same number. */
const amountText = fc.tuple(fc.integer({ min: 100, max: 1_000_000 }), fc.nat(4)).map(([cents, style]) => {
  const plain = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  return [
    plain,
    `${cents}e-2`,
    `${plain}${'0'.repeat(30)}`,
    `0.000${cents}E+${1 + String(cents).length}`,
    `${cents}${'0'.repeat(20)}e-22`,
  ][style] as string;
});
const amount = mostly(
  amountText.map((text): Piece => ({ text, ok: true, kept: Number(text) })),
  fc
    .constantFrom(...extremeNumbers, '"5"', 'null', '[5]', `25.${'0'.repeat(40)}1`, '10000.00000000000000000001')
    .map(bad),
);

const extras = fc.constantFrom(
  '',
  '"__proto__":{"currency":"JPY"}',
  '"constructor":{"prototype":{"x":1}}',
  '"remark":[[[{}]]]',
  '"n":1e400',
  '"n":123456789012345678901',
);

function fields(pieces: Record<string, Piece>, extra: string): string {
  const present = Object.entries(pieces).filter(([, { text }]) => text !== '');
  return `{${[...present.map(([key, { text }]) => `"${key}":${text}`), extra].filter(Boolean).join(',')}}`;
}

const keptFields = (pieces: Record<string, Piece>) =>
  Object.fromEntries(Object.entries(pieces).flatMap(([key, { kept }]) => (kept === undefined ? [] : [[key, kept]])));

const gift = fc
  .record({
    recipient: fc.oneof(
      fc.record({ firstName: name, lastName: name, email, employeeNumber: nullOr(fc.oneof(employeeNumber, blank)) }),
      fc.record({ firstName: name, lastName: name, employeeNumber, email: nullOr(blank) }),
    ),
    message,
    amount,
    extra: extras,
  })
  .map(({ recipient, message, amount, extra }) => ({
    text: fields({ message, amount, recipient: bad(fields(recipient, extra)) }, extra),
    faults: [
      ...Object.entries({ message, amount }).flatMap(([key, { ok }]) => (ok ? [] : [key])),
      ...Object.entries(recipient).flatMap(([key, { ok }]) => (ok ? [] : [`recipient.${key}`])),
    ],
    amount: amount.text,
    kept: { ...keptFields({ message, amount }), recipient: keptFields(recipient) },
  }));

/** A decimal number as a fraction over 10^60, exactly. */
function exact(literal: string): bigint {
  const [, whole = '0', fraction = '', power = '0'] = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  return BigInt(whole + fraction) * 10n ** BigInt(60 + Number(power) - fraction.length);
}

test('an order is accepted exactly if every field is valid; every invalid field is named, and what is stored is what was sent', async () => {
  const currency = mostly(
    fc.constant(good('CAD')),
    fc.constantFrom('"cad"', '""', 'null', '5', '["CAD"]', '"CAD\\u0000"').map(bad),
  );
  const language = mostly(
    nullOr(fc.constantFrom('EN_CA', 'FR_CA').map((code) => good(code))),
    fc.constantFrom('"en_ca"', '""', '7', '"EN_CA\\n"').map(bad),
  );
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(gift, { minLength: 1, maxLength: 3 }),
      currency,
      language,
      extras,
      async (gifts, currency, language, extra) => {
        const orderItems = bad(`[${gifts.map(({ text }) => text).join(',')}]`);
        const answer = await service.create(fields({ orderItems, currency, language }, extra));
        const faults = [
          ...(currency.ok ? [] : ['currency']),
          ...(language.ok ? [] : ['language']),
          ...gifts.flatMap(({ faults }, nth) => faults.map((path) => `orderItems[${nth}].${path}`)),
        ].filter((path) => currency.ok || !path.endsWith('.amount'));
        if (answer.status !== 201) {
          const named = namedPaths(answer);
          for (const path of named) assert.match(path, pathForm);
          // Without a currency the allowed decimals of an amount are unknown.
          const expected = currency.ok ? named : named.filter((path) => !path.endsWith('.amount'));
          assert.deepEqual(expected.sort(), faults.sort(), JSON.stringify(answer.body));
          return;
        }
        accepted++;
        assert.deepEqual(faults, []);
        const { requestId } = answer.body;
        const [row] = await service.database.query<{ body: unknown }>(
          'select body from order_requests where request_id = $1',
          [requestId],
        );
        assert.deepEqual(row?.body, {
          orderItems: gifts.map(({ kept }) => kept),
          ...keptFields({ currency, language }),
        });
        assert.equal((await service.finished(requestId)).requestStatus, 'COMPLETED');
        const { body } = await service.call<OrderRecord>(`/api/v1/orders/${requestId}`);
        assert.deepEqual(
          body.certificates.map(({ message, amount }) => [message, exact(String(amount))]),
          gifts.map(({ kept, amount }) => [(kept as { message?: string }).message, exact(amount)]),
        );
      },
    ),
    { numRuns: 150 },
  );
  assert.ok(accepted > 20, `only ${accepted} orders were accepted`);
});

test('in every currency an amount has at most its minor digits, from 1 to 10,000', async () => {
  const digitsOf = (currency: string) => minorDigits(currency) ?? assert.fail(`${currency} is no currency`);
  const amountLiteral = fc.oneof(
    fc
      .tuple(fc.integer({ min: 0, max: 10_001 }), fc.array(fc.nat(9), { maxLength: 6 }))
      .map(([whole, decimals]) => (decimals.length > 0 ? `${whole}.${decimals.join('')}` : `${whole}`)),
    fc.constantFrom(
      '1',
      '10000',
      '0.9999',
      '1.00000',
      '10000.0001',
      '9999.9999',
      '10000.000',
      '1e4',
      '99999e-1',
      '12345e-4',
    ),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...currencies),
      fc.array(amountLiteral, { minLength: 1, maxLength: 8 }),
      async (currency, literals) => {
        const unit = 10n ** 60n;
        const minor = 10n ** BigInt(60 - digitsOf(currency));
        const fits = (literal: string) => {
          const value = exact(literal);
          return value >= unit && value <= 10_000n * unit && value % minor === 0n;
        };
        const order = anOrder({ currency, orderItems: literals.map((_, nth) => aGift({ amount: `#${nth}#` })) });
        const text = JSON.stringify(order).replace(/"#(\d+)#"/g, (_, nth) => literals[Number(nth)] as string);
        const answer = await service.create(text);
        const unfit = literals.flatMap((literal, nth) => (fits(literal) ? [] : [`orderItems[${nth}].amount`]));
        if (answer.status === 201) assert.deepEqual(unfit, []);
        else assert.deepEqual(namedPaths(answer).sort(), unfit, text);
      },
    ),
    { numRuns: runs(150) },
  );
});

test("an amount may have the currency's smallest unit and nothing finer", async () => {
  const iso = { CAD: 2, JPY: 0, KWD: 3, USD: 2, EUR: 2, KRW: 0, BHD: 3, CHF: 2, HUF: 2, IQD: 3, MGA: 2, CLF: 4 };
  for (const [currency, digits] of Object.entries(iso)) {
    const amount = Number(digits === 0 ? '2' : `1.${'0'.repeat(digits - 1)}1`);
    const { certificates } = await service.fulfilled(anOrder({ currency, orderItems: [aGift({ amount })] }));
    assert.deepEqual([certificates[0]?.amount, certificates[0]?.currency], [amount, currency]);
    const tooFine = Number(`1.${'0'.repeat(digits)}1`);
    assert.equal((await service.create(anOrder({ currency, orderItems: [aGift({ amount: tooFine })] }))).status, 400);
  }
});
