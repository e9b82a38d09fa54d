import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessMapping } from '../../console/src/screens/bulk/file/columns.ts';
import { decodeText } from '../../console/src/screens/bulk/file/decode.ts';
import type { Field } from '../../console/src/screens/bulk/file/headers.ts';
import { mostRows, readSheet, type Sheet } from '../../console/src/screens/bulk/file/read.ts';
import { readRows } from '../../console/src/screens/bulk/file/rows.ts';
import { writeCsv } from '../../console/src/screens/bulk/file/write.ts';
import { isPlaceholder, readCell } from '../../src/ground/sheets/cells.ts';
import fc from '../support/fast-check.ts';
import { common } from '../support/gift-files.ts';
import { runs } from '../support/runs.ts';

/** A line of a file, as the people who made it meant it. */
interface Line {
  email: string;
  employeeNumber: string;
  firstName: string;
  lastName: string;
  cents: number;
  message: string;
}

const spellings: Record<keyof Omit<Line, 'cents'> | 'amount', readonly string[]> = {
  email: ['Work e-mail', 'Courriel', 'Correo electrónico', 'EMAIL'],
  employeeNumber: ['Employee number', 'Matricule', 'Número de empleado'],
  firstName: ['First', 'Prénom', 'Nombre'],
  lastName: ['Last name', 'Nom', 'Apellidos'],
  amount: ['CAD', 'Montant', 'Importe', 'amount'],
  message: ['Note', 'Message', 'Mensaje'],
};
type Column = keyof typeof spellings;
const columns = Object.keys(spellings) as Column[];

/** No control characters and nothing that is only space: a cell is trimmed as the service trims it. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 40 })
  .map((one) => one.replace(/[\p{Cc}\p{Cs}\uFEFF]/gu, '').trim())
  .filter((one) => one !== '' && readCell(one) === one && !isPlaceholder(one));
const line: fc.Arbitrary<Line> = fc.record({
  email: fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.org$/),
  employeeNumber: fc.stringMatching(/^[A-Z0-9]{1,6}$/),
  firstName: text,
  lastName: text,
  cents: fc.integer({ min: 100, max: 1_000_000 }),
  message: fc
    .tuple(text, fc.constantFrom('', '\n', '\r\n', ' "quoted" ', ',', ';', '\t'), text)
    .map((one) => one.join(''))
    .filter((one) => readCell(one) === one),
});

/** How amounts are written where the file comes from. */
const amountStyles = {
  point: (cents: number) => (cents / 100).toFixed(2),
  comma: (cents: number) => (cents / 100).toFixed(2).replace('.', ','),
  grouped: (cents: number) => (cents / 100).toLocaleString('en', { minimumFractionDigits: 2 }),
  groupedComma: (cents: number) => (cents / 100).toLocaleString('de', { minimumFractionDigits: 2 }),
  spaced: (cents: number) => (cents / 100).toLocaleString('fr', { minimumFractionDigits: 2 }),
  withSign: (cents: number) => `CA$${(cents / 100).toFixed(2)}`,
} as const;

const encodings: Record<string, (csv: string) => Uint8Array> = {
  utf8: (csv) => new TextEncoder().encode(csv),
  'utf8 with its mark': (csv) => new TextEncoder().encode(`\uFEFF${csv}`),
  utf16: (csv) => Buffer.from(`\uFEFF${csv}`, 'utf16le'),
};

const format = fc.record({
  order: fc.shuffledSubarray(columns, { minLength: columns.length }),
  spelling: fc.nat(3),
  delimiter: fc.constantFrom(',', ';', '\t'),
  newline: fc.constantFrom('\n', '\r\n'),
  quotesAll: fc.boolean(),
  amounts: fc.constantFrom(...(Object.keys(amountStyles) as (keyof typeof amountStyles)[])),
  encoding: fc.constantFrom(...Object.keys(encodings)),
  extra: fc.boolean(),
  blankLines: fc.boolean(),
});
type Format = typeof format extends fc.Arbitrary<infer T> ? T : never;

function written(lines: readonly Line[], how: Format): Uint8Array {
  const cell = (value: string) =>
    how.quotesAll || /["\r\n]|^\s|\s$/.test(value) || value.includes(how.delimiter)
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const cellText = (one: Line, column: Column) =>
    column === 'amount' ? amountStyles[how.amounts](one.cents) : one[column];
  const header = how.order.map((column) => spellings[column][how.spelling % spellings[column].length] as string);
  const rows = [
    [...header, ...(how.extra ? ['T-shirt size'] : [])],
    ...lines.map((one) => [...how.order.map((column) => cellText(one, column)), ...(how.extra ? ['XL'] : [])]),
  ];
  const texts = rows.map((cells) => cells.map(cell).join(how.delimiter));
  const csv = texts.join(how.blankLines ? how.newline.repeat(2) : how.newline) + how.newline;
  return (encodings[how.encoding] as (csv: string) => Uint8Array)(csv);
}

async function opened(bytes: Uint8Array): Promise<Sheet> {
  const sheet = await readSheet('gifts.csv', decodeText(bytes));
  assert.ok(!('is' in sheet), JSON.stringify(sheet));
  return sheet;
}

test('a file says the same whatever the order of its columns, its delimiter, quotes, encoding and way to write amounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 20 }), format, async (lines, how) => {
      const sheet = await opened(written(lines, how));
      const mapping = guessMapping(sheet);
      const expected: (Field | null)[] = [...how.order, ...(how.extra ? [null] : [])];
      assert.deepEqual(mapping, expected);
      const { rows } = readRows(sheet, mapping, common, new Map());
      assert.deepEqual(
        rows.map(({ email, employeeNumber, firstName, lastName, amount, message, faults }) => ({
          ...{ email, employeeNumber, firstName, lastName, cents: Math.round((amount ?? 0) * 100) },
          message: message.replaceAll('\r\n', '\n'),
          faults,
        })),
        lines.map((one) => ({ ...one, message: one.message.trim().replaceAll('\r\n', '\n'), faults: [] })),
      );
    }),
    { numRuns: runs(300) },
  );
});

test('ten thousand rows are read, and one more is refused', async () => {
  const row = 'ada@example.com,25,"Thank you, Ada!"\r\n';
  const sheet = await opened(new TextEncoder().encode(`e-mail,amount,message\r\n${row.repeat(mostRows)}`));
  const { rows } = readRows(sheet, guessMapping(sheet), common, new Map());
  assert.deepEqual([rows.length, rows.at(-1)?.number, rows.at(-1)?.faults], [10_000, 10_001, []]);
  assert.deepEqual(await readSheet('', `e-mail,amount,message\r\n${row.repeat(mostRows + 1)}`), { is: 'tooLong' });
  for (const [csv, fault] of [
    ['', 'empty'],
    ['\n \n', 'empty'],
    ['e-mail,amount\n', 'noRows'],
    ['PK\u0003\u0004…', 'notText'],
  ] as const)
    assert.deepEqual(await readSheet('', csv), { is: fault });
});

test('a quotation mark that is not closed swallows no rows: the file is refused, with its line', async () => {
  const above = ['e-mail,amount,message', 'ada@example.com,25,"Thank you,', 'Ada!"', 'mei@example.com,50,Hi'];
  const below = ['bo@example.com,75,Hello', 'eve@example.com,75,"Well done, Eve"'];
  for (const [message, line] of [
    ['"Thank you', 5],
    ['"Thank you" Jonas', 5],
    ['"Thank you, "Jonas""', 5],
    ['Thank "you" Jonas', null],
    ['"Thank you, ""Jonas"""', null],
    ['"Thank you" ', null],
  ] as const)
    for (const newline of ['\n', '\r\n', '\r']) {
      const read = await readSheet('', [...above, `jonas@example.com,50,${message}`, ...below].join(newline));
      if (line === null) assert.equal('is' in read ? read.is : read.rows.length, 5, message);
      else assert.deepEqual(read, { is: 'quote', line }, message);
    }
});

test('rows that are written for people to correct are read again as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 10 }), async (rows) => {
      const csv = writeCsv([['email', 'first name', 'note'], ...rows]);
      const sheet = await opened(new TextEncoder().encode(csv));
      assert.deepEqual(
        sheet.rows.map(({ cells }) => cells.map(readCell)),
        rows,
      );
    }),
    { numRuns: runs(100) },
  );
  assert.match(writeCsv([['=1+1', '-2', '@x', '-cmd']]), /^\uFEFF'=1\+1,'-2,'@x,'-cmd\n$/);
});

test('a row says everything that is wrong with it, and corrections put it right', async () => {
  const sheet = await opened(
    new TextEncoder().encode(
      'E-mail;Nr;Name;Amount;Note;Reason\njonas.example.com;;Weber, Jonas;0,00;;Teamwork\n;;;37,50;Thanks;Mentoring\n',
    ),
  );
  const mapping = guessMapping(sheet);
  assert.deepEqual(mapping, ['email', null, 'fullName', 'amount', 'message', 'reason']);
  const reasons = [{ id: 7, description: 'teamwork', isDefault: false }];
  const [jonas, nobody] = readRows(sheet, mapping, { ...common, reasons }, new Map()).rows;
  assert.deepEqual(
    [jonas?.firstName, jonas?.lastName, jonas?.reasonId, jonas?.faults],
    [
      'Jonas',
      'Weber',
      7,
      [
        { field: 'email', is: 'noAt' },
        { field: 'amount', is: 'tooSmall' },
        { field: 'message', is: 'missing' },
      ],
    ],
  );
  assert.deepEqual(nobody?.faults, [
    { field: 'email', is: 'unidentified' },
    { field: 'reason', is: 'notOffered' },
  ]);
  const corrections = new Map([[2, { email: 'jonas@example.com', amount: '50', message: 'Thank you!' }]]);
  const [corrected] = readRows(sheet, mapping, { ...common, reasons }, corrections).rows;
  assert.deepEqual([corrected?.faults, corrected?.amount, corrected?.email], [[], 50, 'jonas@example.com']);
});
