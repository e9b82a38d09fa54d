import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { mergeMembers } from '../../src/directory/merge.ts';
import { Failure } from '../../src/errors.ts';
import { importMembers } from '../../src/import/import.ts';
import { cleanUp } from '../support/cleanup.ts';
import { openImports, pick } from '../support/imports.ts';
import { giftwire, program, runProgram } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url };
const folder = await mkdtemp(join(tmpdir(), 'giftwire-members-'));
cleanUp(() => rm(folder, { recursive: true }));

test('a file as an HR system writes it is understood', async () => {
  const { take, list } = await openImports(service);
  const { counts, columns, notUnderstood, superseded } = await take(
    [
      'Employee #;"Legal First Name";LAST_NAME;Work Email;Email;Home Department Description;Supervisor email;Status;Phone;Shirt size;',
      '7;Ada;Lovelace;Ada@Example.com;ada@home.example;Research;grace@example.com;Active;1;S;',
      '8;Grace;Hopper;grace@example.com;;"Navy; and\r\nmore";;On leave;2;M;',
      '',
      ';;;;;;;;;;',
      '9;Alan;Turing;;;;8;Terminated;;;',
      '',
    ].join('\r\n'),
  );
  assert.deepEqual(counts, [3, 0, 0, 0]);
  assert.deepEqual(columns, {
    email: 'Work Email',
    employeeNumber: 'Employee #',
    firstName: 'Legal First Name',
    lastName: 'LAST_NAME',
    department: 'Home Department Description',
    manager: 'Supervisor email',
    status: 'Status',
  });
  assert.deepEqual(notUnderstood, ['Phone', 'Shirt size']);
  assert.deepEqual(superseded, ['Email']);
  assert.deepEqual(pick(await list(), 'email', 'number', 'name', 'department', 'manager', 'active'), [
    ['Ada@Example.com', '7', 'Ada/Lovelace', 'Research', 'grace@example.com', true],
    ['grace@example.com', '8', 'Grace/Hopper', 'Navy; and\r\nmore', null, true],
    [null, '9', 'Alan/Turing', null, 'grace@example.com', false],
  ]);
});

test('headers of the systems that companies have are known', async () => {
  const headers: Record<string, string> = {
    BambooHR: 'Employee #,First Name,Last Name,Work Email,Department,Location,Supervisor EID,Status,Termination Date',
    Workday:
      'Employee_ID,Legal Name - First Name,Legal Name - Last Name,Email - Primary Work,Cost Center,Location,Manager_ID,Active Status',
    SuccessFactors: 'STATUS,USERID,FIRSTNAME,LASTNAME,EMAIL,MANAGER,DEPARTMENT,LOCATION',
    ADP: 'Associate ID,Legal First Name,Legal Last Name,Work Contact: Work Email,Home Department Description,Location Description,Reports To Associate ID,Position Status',
    Personio:
      'Personnel number,First name,Last name,Email,Department,Office,Cost center,Supervisor email,Team,Status,Last working day',
    Entra: 'userPrincipalName,surname,mail,givenName,department,accountEnabled,officeLocation,employeeId',
    Google:
      'First Name [Required],Last Name [Required],Email Address [Required],Employee ID,Department,Cost Center,Manager Email,Status [READ ONLY]',
    Okta: 'login,firstName,lastName,email,employeeNumber,costCenter,department,managerId,status,city',
  };
  const { take } = await openImports(service);
  for (const [system, header] of Object.entries(headers)) {
    const { notUnderstood, columns } = await take(`${header}\n`);
    assert.deepEqual(notUnderstood, [], system);
    for (const field of ['email', 'employeeNumber', 'firstName', 'lastName'] as const)
      assert.ok(columns[field], `${system}: ${field}`);
    assert.ok(columns.active ?? columns.status, `${system}: active or status`);
  }
});

test('a full name is taken apart where first and last name are not given', async () => {
  const { take, list } = await openImports(service);
  await take(
    'Display name,Email\nAda King Lovelace,a@example.com\n"Hopper, Grace",b@example.com\nPrince,c@example.com\n',
  );
  assert.deepEqual(pick(await list(), 'name'), [['Ada King/Lovelace'], ['Grace/Hopper'], ['Prince/']]);
  const { superseded } = await take('Name,First name,Email\nX Y,Ada,a@example.com\n');
  assert.deepEqual(superseded, ['Name']);
  assert.deepEqual(pick((await list()).slice(0, 1), 'name'), [['Ada/Lovelace']]);
});

test('every bad row is listed with its line and reason, and the others are taken', async () => {
  const { workspaceId, take, list } = await openImports(service, 'email,employeeNumber\nada@example.com,1\n,2\n');
  const [ada, two] = pick(await list(), 'id').flat();
  const { counts, withoutManager, reasons, file } = await take(
    [
      'email,employeeNumber,firstName,department,currency,pictureUrl,active,team,manager', // 1
      'ok@example.com,10,Olive,"line one', // 2
      'line two",CAD,,true,Blue,', // 3
      'no address,,,,,,,,', // 4
      ',,Nobody,,,,,,', // 5
      'a@example.com,11,A,,Dollars,,,,', // 6
      'b@example.com,12,B,,,ftp://example.com/b.png,,,', // 7
      'c@example.com,13,C,,,,maybe,,', // 8
      `d@example.com,14,D,,,,,${'x'.repeat(201)},`, // 9
      'e@example.com,15,E,,,,,,,,', // 10
      'OK@example.com,,Again,,,,,,', // 11
      ',10,Again,,,,,,', // 12
      'ada@example.com,2,Both,,,,,,', // 13
      'f@example.com,16,"F" x,,,,,,', // 14
      'g@example.com,17,G"g,,,,,,', // 15
      'h@example.com,18,"Never closed,,,,,,', // 16
      'i@example.com,19,I,"quoted",,,,,', // 17
      'j@example.com,20,J,,,,,,nobody@example.com', // 18
      'k@example.com,21,K,,,,,,K@example.com', // 19
      'l@example.com,22,L,"a ""b"" c",,,,,', // 20
      'm@example.com,23', // 21
      'n@example.com,24,"N,,,,,,', // 22
    ].join('\n'),
  );
  assert.deepEqual(reasons, [
    '4: email must be an e-mail address',
    '5: there is neither an email nor an employeeNumber',
    '6: currency must have at most 3 characters',
    '7: pictureUrl must be an http or https address',
    '8: active "maybe" is not understood: write true or false, or say what it means with --status "maybe=active" or --status "maybe=left"',
    '9: team must be text of at most 200 characters',
    '10: the row has 11 cells, and the header only 9',
    '11: this is the person of line 2 again, and says something else',
    '12: this is the person of line 2 again, and says something else',
    `13: email leads to member ${ada} and employeeNumber to member ${two}: if they are one person, run "giftwire member merge id:${two} id:${ada} --workspace ${workspaceId}"`,
    '14: a quote stands where none may be',
    '15: a quote is opened and never closed',
    '16: a quote is opened and never closed',
    '18: the manager "nobody@example.com" is not known: the rest of the row was taken',
    '19: the manager "K@example.com" is the person of this row: the rest of it was taken',
    '22: a quote is opened and never closed',
  ]);
  assert.deepEqual(counts, [6, 0, 0, 14]);
  assert.equal(withoutManager, 2);
  assert.deepEqual(pick((await list()).slice(2), 'number', 'department'), [
    ['10', 'line one\nline two'],
    ['19', 'quoted'],
    ['20', null],
    ['21', null],
    ['22', 'a "b" c'],
    ['23', null],
  ]);

  const mended = file
    .replaceAll('Dollars', 'USD')
    .replaceAll('ftp:', 'https:')
    .replaceAll('maybe', 'former')
    .replaceAll('nobody@', 'ada@');
  const again = await take(mended);
  assert.deepEqual(again.notUnderstood, [], 'line and reason are no columns of a person');
  assert.deepEqual(again.counts.slice(0, 2), [3, 2]);
  assert.deepEqual(
    again.reasons.map((reason) => reason.replace(/^\d+: /, '')).filter((reason) => /quote|cells/.test(reason)),
    ['11', '10', '10', '10', '10'].map((count) => `the row has ${Number(count) + 2} cells, and the header only 11`),
    'what nobody has mended stays bad',
  );
  assert.match(again.file, /^line,reason,email,employeeNumber,firstName/);
  const byNumber = new Map((await list()).map((row) => [row.number, row]));
  assert.equal(byNumber.get('20')?.manager, 'ada@example.com');
  assert.equal(byNumber.get('13')?.active, false);
});

test('a changed e-mail address keeps the person, and so does a changed employee number that was announced', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\na@example.com,1\nb@example.com,2\n');
  const ids = pick(await list(), 'id');
  const file = 'email,employeeNumber\nA2@example.com,1\nB@example.com,3\n';
  const { counts } = await take(file, { renumbering: new Set(['b@example.com']) });
  assert.deepEqual(counts, [0, 2, 0, 0]);
  assert.deepEqual(pick(await list(), 'id'), ids);
  assert.deepEqual(pick(await list(), 'email', 'number'), [
    ['A2@example.com', '1'],
    ['B@example.com', '3'],
  ]);
});

test('what one person gives up another may have, in a dry run too', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\na@example.com,1\nb@example.com,2\n');
  const file = 'email,employeeNumber\nz@example.com,1\na@example.com,2\nb@example.com,3\n';
  assert.deepEqual((await take(file, { isDryRun: true })).counts, [1, 2, 0, 0]);
  assert.deepEqual((await take(file)).counts, [1, 2, 0, 0]);
  assert.deepEqual(pick(await list(), 'email', 'number'), [
    ['z@example.com', '1'],
    ['a@example.com', '2'],
    ['b@example.com', '3'],
  ]);
  assert.deepEqual((await take(file)).counts, [0, 0, 3, 0]);
});

test('an empty cell clears, an absent column or cell leaves alone, and nobody loses their last key', async () => {
  const { take, list } = await openImports(
    service,
    'email,employeeNumber,firstName,department,team,manager\nboss@example.com,9,Bo,,,\na@example.com,1,Ada,Lab,Blue,9\n',
  );
  await take('email,firstName\na@example.com,Eve\n');
  await take('email,firstName,department\na@example.com\n');
  assert.deepEqual(pick((await list()).slice(1), 'number', 'name', 'department', 'team', 'manager'), [
    ['1', 'Eve/', 'Lab', 'Blue', 'boss@example.com'],
  ]);
  await take('email,employeeNumber,firstName,department,team,manager\n,1,,,,\n');
  assert.deepEqual(pick((await list()).slice(1), 'email', 'number', 'name', 'department', 'team', 'manager'), [
    ['a@example.com', '1', '/', null, 'Blue', null],
  ]);
  assert.deepEqual((await take('employeeNumber,team\n1,\n')).counts, [0, 0, 1, 0]);
  assert.deepEqual((await take('employeeNumber,team\n1,Everyone\n')).counts, [0, 1, 0, 0]);
  assert.deepEqual((await take('employeeNumber,team\n1,Everyone\n')).counts, [0, 0, 1, 0]);
});

test('who leaves is no longer here, and who returns is the same person', async () => {
  const { take, list } = await openImports(service, 'email,active\na@example.com,yes\nb@example.com,1\n');
  const before = pick(await list(), 'id');
  const file = (status: string, date: string) => `Email,Status,Termination date\na@example.com,${status},${date}\n`;
  const steps: [string, string, boolean][] = [
    ['Terminated', '', false],
    ['', '', true],
    ['', '2020-02-29', false],
    ['', '9999-12-31', true],
    ['', '31.12.2019', false],
    ['', '12/31/2999', true],
    ['', '31-Dec-2019', false],
    ['Current', '2020-01-01', true],
    ['suspended', '', false],
    ['', '0000-00-00', true],
  ];
  for (const [status, date, active] of steps) {
    assert.equal((await take(file(status, date))).rejected, 0, `${status} ${date}`);
    assert.deepEqual(pick(await list(), 'active'), [[active], [true]], `${status} ${date}`);
  }
  assert.deepEqual((await take(file('', '2020-02-30'))).reasons, [
    '2: the leaving date "2020-02-30" is not understood: write it as 2026-03-31, or say with --date-format how it is written',
  ]);
  assert.deepEqual(pick(await list(), 'id'), before);
});

test('who has left did so on the day that the file says, where it says one that has passed', async () => {
  const { workspaceId, take } = await openImports(service);
  await take(
    'sep=;\nemail;Employment Status;Termination Date\na@example.com;Terminated;31.03.2024\nb@example.com;Full-time;\nc@example.com;left;\n',
  );
  const days = await database.query<{ day: string | null }>(
    `select (left_at at time zone 'utc')::date as day from members where workspace_id = $1 and email is not null order by id`,
    [workspaceId],
  );
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(
    days.map(({ day }) => day),
    ['2024-03-31', null, today],
  );
  assert.deepEqual(
    (await take('email,status,leaving date\na@example.com,terminated,2023-01-01\n')).counts,
    [0, 0, 1, 0],
  );
});

test('managers are found wherever they stand: by address, number or id, in this file or before', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\nold@example.com,77\n');
  const [[oldId]] = pick(await list(), 'id') as [[number]];
  const file = [
    'email,employeeNumber,manager',
    'a@example.com,1,LATE@example.com',
    'b@example.com,2,3',
    `c@example.com,3,${oldId}`,
    'd@example.com,4,77',
    'late@example.com,5,NO_MANAGER',
  ].join('\n');
  assert.deepEqual((await take(file, { isDryRun: true })).counts, [5, 0, 0, 0]);
  assert.deepEqual((await take(file)).counts, [5, 0, 0, 0]);
  assert.deepEqual(pick((await list()).slice(1), 'manager'), [
    ['late@example.com'],
    ['c@example.com'],
    ['old@example.com'],
    ['old@example.com'],
    [null],
  ]);
  assert.deepEqual((await take(file)).counts, [0, 0, 5, 0]);
  const moved = await take('email,manager\nb@example.com,a@example.com\n');
  assert.deepEqual(moved.counts, [0, 1, 0, 0]);
});

test('an address that a person had before a merge leads to them, and is not made theirs again', async () => {
  const { workspaceId, take, list } = await openImports(
    service,
    'email,employeeNumber\nnew@example.com,1\nold@example.com,2\n',
  );
  const [into, from] = pick(await list(), 'id').flat() as [number, number];
  await database.transaction((tx) => mergeMembers(tx, workspaceId, from, into));
  const { counts } = await take('email,employeeNumber,firstName\nold@example.com,2,Ada\n');
  assert.deepEqual(counts, [0, 1, 0, 0]);
  assert.deepEqual(pick(await list(), 'id', 'email', 'number', 'name'), [[into, 'new@example.com', '1', 'Ada/']]);
  assert.deepEqual((await take('email,firstName\nOLD@example.com,Ada\n')).counts, [0, 0, 1, 0]);
});

test('files come in the encodings and with the delimiters that programs write', async () => {
  const text = 'email;firstName\r\na@example.com;Zoë\r\n';
  const files: [Uint8Array, string?][] = [
    [Buffer.from(`\ufeff${text}`)],
    [Buffer.from(`\ufeff${text}`, 'utf16le')],
    [Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    [Buffer.from(text, 'latin1'), 'windows-1252'],
    [Buffer.from(text.replaceAll(';', '\t').replaceAll('\r\n', '\r'))],
    [Buffer.from(text.replaceAll(';', '|').replaceAll('\r\n', '\n'))],
    [Buffer.from('"email, or mail",email,firstName\n,a@example.com , "Zoë" \n')],
  ];
  for (const [nth, [bytes, encoding]] of files.entries()) {
    const { take, list } = await openImports(service);
    assert.deepEqual((await take(bytes, { encoding })).counts, [1, 0, 0, 0], `file ${nth}`);
    assert.deepEqual(pick(await list(), 'email', 'name'), [['a@example.com', 'Zoë/']], `file ${nth}`);
  }
  const { take } = await openImports(service);
  await assert.rejects(
    take(Buffer.from(text, 'latin1')),
    (error) => error instanceof Failure && /not UTF-8 .*--encoding windows-1252/.test(error.message),
  );
});

test('bytes may come in pieces of any size', async () => {
  const { workspaceId, list } = await openImports(service);
  const file = Buffer.from('email,firstName\r\na@example.com,"Zo\r\në"\r\n\r\nb@example.com,"""B"""\r\n');
  const bytes = (async function* () {
    for (const byte of file) yield Buffer.from([byte]);
  })();
  await importMembers(database, bytes, { workspaceId, writeRejected: async (text) => assert.fail(text) });
  assert.deepEqual(pick(await list(), 'name'), [['Zo\r\në/'], ['"B"/']]);
});

test('a dry run says what the import will do, over many batches, and changes nothing', async () => {
  const { take, list, stored } = await openImports(
    service,
    'email,employeeNumber,department\np1@example.com,1,Old\np2@example.com,2,Dept\n',
  );
  const people = Array.from({ length: 4_500 }, (_, nth) => {
    const number = nth + 1;
    return `p${number}@example.com,${number},Dept,p${4_500 - nth}@example.com,Team ${number % 7}`;
  });
  people.push('p1@example.com,,Dept,,', 'q@example.com,,Dept,nobody,');
  const file = ['email,employeeNumber,department,manager,team', ...people].join('\n');
  const before = await stored();
  const dry = await take(file, { isDryRun: true });
  assert.deepEqual(await stored(), before);
  const real = await take(file);
  assert.deepEqual(real, dry);
  assert.deepEqual(real.counts, [4_499, 2, 0, 1]);
  assert.equal((await list()).filter(({ manager }) => manager === null).length, 1);

  const after = await stored();
  const again = await take(file);
  assert.deepEqual(again.counts, [0, 0, 4_501, 1]);
  assert.deepEqual(await stored(), after, 'nothing is written for who is as the file says');
});

test('the command takes a file, lists the bad rows beside it and says so', async () => {
  const workspaceId = await service.addWorkspace();
  const file = join(folder, 'people.csv');
  const flags = ['--workspace', String(workspaceId)];
  await writeFile(file, 'Mail,Phone,Land\na@example.com,1,Team A\nnobody,=2,Team B\n');
  const map = ['--map', 'land=team'];
  const dry = await giftwire(['members', 'import', file, ...flags, ...map, '--dry-run'], env);
  assert.equal(dry.code, 1);
  assert.match(dry.stdout, /2 rows: 1 added, 0 changed, 0 unchanged, 1 rejected\./);
  assert.match(dry.stdout, /nothing was changed/);
  await rm(`${file}.rejected.csv`);

  const real = await giftwire(['member', 'import', file, ...flags, ...map], env);
  assert.equal(real.code, 1);
  assert.equal(real.stderr, '', 'no progress bar where there is no terminal');
  assert.match(real.stdout, /Not understood, left out: Phone\. Known: email, employeeNumber, /);
  assert.match(real.stdout, /2 rows: 1 added, 0 changed, 0 unchanged, 1 rejected\./);
  assert.match(real.stdout, /people\.csv\.rejected\.csv says why/);
  assert.equal(
    await readFile(`${file}.rejected.csv`, 'utf8'),
    "line,reason,Mail,Phone,Land\n3,email must be an e-mail address,nobody,'=2,Team B\n",
  );
});

test('the command reads standard input and answers machines', async () => {
  const workspaceId = await service.addWorkspace();
  const rejected = join(folder, 'bad rows.csv');
  const args = ['members', 'import', '-', '--workspace', String(workspaceId), '--rejected', rejected, '--json'];
  const input = 'mail,Height\na@example.com,7\n';
  const { code, stdout, stderr } = await runProgram(process.execPath, [program, ...args], env, input);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    rows: 1,
    added: 1,
    changed: 0,
    unchanged: 0,
    repeated: 0,
    rejected: 0,
    leaving: 0,
    returning: 0,
    heldBack: 0,
    withoutManager: 0,
    managerNames: 0,
    leaversWithoutAsking: 0,
    columns: { email: 'mail' },
    notUnderstood: ['Height'],
    superseded: [],
    dryRun: false,
    rejectedFile: null,
    stopped: null,
  });
  assert.ok(!existsSync(rejected), 'no file where nothing was rejected');
});

test('the command refuses what it cannot use, in one sentence', async () => {
  const workspace = String(await service.addWorkspace());
  const file = join(folder, 'strange.csv');
  const empty = join(folder, 'empty.csv');
  await writeFile(file, 'Shoe,Hat\n41,58\n');
  await writeFile(empty, '\n\n');
  const workbook = join(folder, 'people.xlsx');
  await writeFile(workbook, Buffer.from('504b0304140006000800', 'hex'));
  const good = join(folder, 'good.csv');
  await writeFile(good, 'email\nada@example.com\n');
  const cases: [string[], number, RegExp][] = [
    [[file, '--workspace', workspace], 1, /No column is an email or an employeeNumber: Shoe, Hat\. Known: email, /],
    [[empty, '--workspace', workspace], 1, /empty/],
    [[good, '--workspace', workspace, '--rejected', '/nowhere/bad.csv'], 1, /cannot be written \(ENOENT\)/],
    [[good, '--workspace', workspace, '--rejected', good], 2, /cannot go to the file that is read/],
    [[workbook, '--workspace', workspace], 1, /save it as CSV/],
    [[`${file}.gone`, '--workspace', workspace], 1, /cannot be read/],
    [[folder, '--workspace', workspace], 1, /is a directory/],
    [[file, '--workspace', '999999'], 1, /There is no workspace 999999/],
    [[file], 2, /required option '--workspace <id>'/],
    [[file, '--workspace', workspace, '--map', 'Shoe'], 2, /Header=field/],
    [[file, '--workspace', workspace, '--map', 'Shoe=size'], 2, /Header=field/],
    [[file, '--workspace', workspace, '--map', 'Glove=email'], 2, /The file has no column Glove/],
    [[file, '--workspace', workspace, '--encoding', 'klingon'], 2, /name of an encoding/],
  ];
  const outcomes = await Promise.all(cases.map(([args]) => giftwire(['members', 'import', ...args], env)));
  for (const [nth, [args, code, says]] of cases.entries()) {
    const outcome = outcomes[nth];
    assert.match(outcome?.stderr ?? '', says, args.join(' '));
    assert.equal(outcome?.code, code, args.join(' '));
    assert.equal(outcome?.stdout, '');
  }
});
