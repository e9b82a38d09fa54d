import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remap } from '../../console/src/screens/bulk/file/columns.ts';
import { withHeader } from '../../console/src/screens/bulk/file/read.ts';
import { readRows } from '../../console/src/screens/bulk/file/rows.ts';
import { writeCsv } from '../../console/src/screens/bulk/file/write.ts';
import { bulk as en } from '../../console/src/words/en/bulk.ts';
import { bulk as es } from '../../console/src/words/es/bulk.ts';
import { bulk as fr } from '../../console/src/words/fr/bulk.ts';
import { common, openSheet, readGifts } from '../support/gift-files.ts';

test('a file without a header loses nobody, and what its columns are is asked', async () => {
  const rows = ['ada@example.com,25,Thanks', 'mei@example.com,50,"Great work, Mei"'];
  const { sheet, mapping, questions } = await readGifts(rows.join('\n'));
  assert.deepEqual([sheet.hasHeader, sheet.header, sheet.rows.length], [false, ['', '', ''], 2]);
  assert.deepEqual(sheet.rows[0], { number: 1, cells: ['ada@example.com', '25', 'Thanks'] });
  assert.deepEqual(
    [mapping, questions],
    [
      ['email', null, null],
      ['amount', 'message'],
    ],
  );
  const answered = readRows(sheet, remap(remap(mapping, 1, 'amount'), 2, 'message'), common, new Map());
  assert.deepEqual(
    answered.rows.map(({ amount, message, faults, waits }) => [amount, message, faults, waits]),
    [
      [25, 'Thanks', [], false],
      [50, 'Great work, Mei', [], false],
    ],
  );
});

test('the first row is a header only if it cannot be a person', async () => {
  for (const [first, isHeader] of [
    ['Email,Amount,Message', true],
    ['Qui,Combien,Pourquoi', true],
    ['E-Mail-Adresse,Betrag 2026,Nachricht', true],
    ['Email,Amount,2026', true],
    ['ada@example.com,Amount,Message', false],
    ['0044,25,Thanks', false],
    ['E1044,€25,Note', false],
    ['E1044,Great,Thanks', false],
    ['77,Okafor,Thanks', false],
  ] as const) {
    const sheet = await openSheet(`${first}\nx,y,z\n`);
    assert.deepEqual([sheet.hasHeader, sheet.rows.length], [isHeader, isHeader ? 1 : 2], first);
    const other = withHeader(sheet, !isHeader);
    assert.deepEqual([other.rows.length, withHeader(other, isHeader)], [isHeader ? 2 : 1, sheet], first);
  }
});

test('an unquoted comma cuts no message: the row is shown until somebody confirms it', async () => {
  const csv = 'email,message,amount\nada@example.com,Thank you, Ada, for all,25\nmei@example.com,Thanks,25,,\n';
  const { rows } = await readGifts(csv);
  const [ada, mei] = rows;
  assert.deepEqual(
    [ada?.message, ada?.amount, ada?.faults],
    ['Thank you, Ada, for all', 25, [{ field: 'message', is: 'cut' }]],
  );
  assert.deepEqual([mei?.message, mei?.faults], ['Thanks', []]);
  const confirmed = await readGifts(csv, {}, new Map([[2, { message: 'Thank you, Ada, for all' }]]));
  assert.deepEqual(confirmed.rows[0]?.faults, []);
});

test('sep= and headers in German, French and Spanish are known as in an import of people', async () => {
  for (const header of [
    'E-Mail-Adresse;Personalnummer;Vorname;Nachname;Betrag;Währung;Nachricht;Sprache;Versanddatum',
    'Adresse e-mail;Numéro de matricule;Prénom;Nom de famille;Montant;Devise;Message;Langue;Date d’envoi',
    'Correo electrónico;Número de empleado;Nombre;Apellidos;Importe;Moneda;Mensaje;Idioma;Fecha de envío',
  ]) {
    const { mapping, rows } = await readGifts(
      `sep=;\n${header}\nada@example.com;="00044";Ada;Okafor;25;EUR;Hi;fr;24.12.2026\n`,
    );
    assert.deepEqual(mapping, [
      ...['email', 'employeeNumber', 'firstName', 'lastName', 'amount', 'currency', 'message', 'language', 'deliverAt'],
    ]);
    const [row] = rows;
    assert.deepEqual(
      [row?.number, row?.employeeNumber, row?.amount, row?.currency, row?.language, row?.faults],
      [2, '00044', 25, 'EUR', 'FR_CA', []],
      header,
    );
    assert.equal(row?.deliverAt, new Date('2026-12-24T09:00').toISOString());
  }
});

test('the template of each language is read without a fault, and has the columns of a gift', async () => {
  for (const { templateHeader, templateRow } of [en, fr, es]) {
    const { mapping, rows, questions } = await readGifts(writeCsv([templateHeader, templateRow]));
    assert.deepEqual(mapping, [
      ...['email', 'employeeNumber', 'firstName', 'lastName', 'amount', 'message', 'currency', 'language', 'deliverAt'],
    ]);
    assert.deepEqual([rows[0]?.amount, rows[0]?.faults, questions], [50, [], []]);
  }
});

test('what no column says is one question about the file, and no fault of each row', async () => {
  const people = Array.from({ length: 2_001 }, (_, nth) => `p${nth}@example.com,x`).join('\n');
  const { rows, questions } = await readGifts(`Contact,Who knows\n${people}`);
  assert.deepEqual(questions, ['amount', 'message']);
  assert.ok(rows.every(({ faults, waits }) => faults.length === 0 && waits));
  const settled = await readGifts(`Contact,Who knows\n${people}`, { amount: 25, message: 'Thanks' });
  assert.deepEqual(settled.questions, []);
  assert.ok(settled.rows.every(({ faults, waits, amount }) => faults.length === 0 && !waits && amount === 25));
  assert.deepEqual((await readGifts('Alpha,Beta\nx,y\n')).questions, ['person', 'amount', 'message']);
});

test('an empty amount in a column of amounts is missing, also where one amount for all was entered before', async () => {
  const { rows } = await readGifts('email,amount,message\nada@example.com,,Hi\n', { amount: 50 });
  assert.deepEqual([rows[0]?.amount, rows[0]?.faults], [null, [{ field: 'amount', is: 'missing' }]]);
});

test('placeholders are no people, no names and no messages', async () => {
  const placeholders = [
    '-',
    '–',
    '—',
    '#N/A',
    '#REF!',
    '#NV',
    'NULL',
    'null',
    'n/a',
    'N/A',
    'unknown',
    'Unbekannt',
    'TBD',
    '?',
  ];
  for (const text of placeholders) {
    const { rows } = await readGifts(
      `email;employee number;first name;last name;amount;message\n${text};7;${text};${text};25;Hi\n${text};${text};Ada;Okafor;25;${text}\n`,
    );
    const [first, second] = rows;
    assert.deepEqual([first?.email, first?.firstName, first?.lastName, first?.faults], [null, '', '', []], text);
    assert.deepEqual(
      second?.faults.map(({ is }) => is),
      ['unidentified', 'missing'],
      text,
    );
  }
  // A surname, and a date that nobody knows is no date: the gift does not go out at once.
  const { rows } = await readGifts('email,last name,amount,message,delivery date\na@x.org,Null,25,Hi,TBD\n');
  assert.deepEqual([rows[0]?.lastName, rows[0]?.faults], ['Null', [{ field: 'deliverAt', is: 'notDate' }]]);
});

test('employee numbers that a spreadsheet has marked are read, and shortened ones are shown', async () => {
  const numbers = ['="00044"', "'00045", '00046', '1.23457E+11', '1,23457E+11', '1E5'];
  const { rows } = await readGifts(
    ['Employee ID;Amount;Note', ...numbers.map((number) => `${number};25;Hi`)].join('\n'),
  );
  assert.deepEqual(
    rows.map(({ employeeNumber, faults }) => [employeeNumber, faults.map(({ is }) => is)]),
    [
      ['00044', []],
      ['00045', []],
      ['00046', []],
      ['1.23457E+11', ['shortened']],
      ['1,23457E+11', ['shortened']],
      ['1E5', []],
    ],
  );
});

test('a row has its own language and delivery date, and what is unclear is shown or asked', async () => {
  const csv = (rows: string[]) => ['email;amount;note;Language;Delivery date', ...rows].join('\n');
  const read = async (language: string, date: string, dateOrder: 'dayFirst' | 'monthFirst' | null = null) => {
    const { rows, questions } = await readGifts(csv([`a@x.org;25;Hi;${language};${date}`]), { dateOrder });
    return { ...(rows[0] as (typeof rows)[number]), questions };
  };
  for (const [text, meant] of [
    ['', 'EN_CA'],
    ['FR_CA', 'FR_CA'],
    ['es-mx', 'ES_MX'],
    ['fr', 'FR_CA'],
    ['French', 'FR_CA'],
    ['Français', 'FR_CA'],
    ['Spanisch', 'ES_MX'],
  ] as const)
    assert.deepEqual([(await read(text, '')).language, (await read(text, '')).faults], [meant, []], text);
  assert.deepEqual((await read('Klingon', '')).faults, [{ field: 'language', is: 'unknown' }]);
  const local = (text: string) => new Date(text).toISOString();
  for (const [text, meant] of [
    ['', null],
    ['2026-12-24', local('2026-12-24T09:00')],
    ['24.12.2026', local('2026-12-24T09:00')],
    ['12/24/2026', local('2026-12-24T09:00')],
    ['24 Dec 2026', local('2026-12-24T09:00')],
    ['2026-12-24 14:30', local('2026-12-24T14:30')],
    ['2026-12-24T14:30:00-05:00', '2026-12-24T19:30:00.000Z'],
  ] as const)
    assert.deepEqual([(await read('', text)).deliverAt, (await read('', text)).faults], [meant, []], text);
  for (const text of ['soon', '46380', '2026-02-30', '12/24/2026 9:00 PM', '-'])
    assert.deepEqual((await read('', text)).faults, [{ field: 'deliverAt', is: 'notDate' }], text);
  assert.deepEqual((await read('', '2026-11-01')).faults, [{ field: 'deliverAt', is: 'past' }]);
  const unclear = await read('', '03/04/2027');
  assert.deepEqual([unclear.questions, unclear.faults, unclear.waits], [['dateOrder'], [], true]);
  const two = await readGifts(csv(['a@x.org;25;Hi;;03/04/2027', 'b@x.org;25;Hi;;12/23/2027']));
  assert.deepEqual(
    [two.questions, two.rows.map(({ deliverAt }) => deliverAt)],
    [[], [local('2027-03-04T09:00'), local('2027-12-23T09:00')]],
    'another date of the file proves the order',
  );
  assert.equal((await read('', '03/04/2027', 'dayFirst')).deliverAt, local('2027-04-03T09:00'));
  assert.equal((await read('', '03-04-2027', 'monthFirst')).deliverAt, local('2027-03-04T09:00'));
});
