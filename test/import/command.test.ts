import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { openImports } from '../support/imports.ts';
import { giftwire, program, runProgram } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url };
const folder = await mkdtemp(join(tmpdir(), 'giftwire-members-'));
cleanUp(() => rm(folder, { recursive: true }));

test('a dry run says what the import will do, over many batches, and changes nothing', async () => {
  const { take, list, stored } = await openImports(
    service,
    'email,employeeNumber,department\np1@example.com,1,Old\np2@example.com,2,Dept\n',
  );
  const count = 450;
  const batchRows = 200;
  const people = Array.from({ length: count }, (_, nth) => {
    const number = nth + 1;
    const manager = number < count ? `p${number + 1}@example.com` : '';
    return `p${number}@example.com,${number},Dept,${manager},Team ${number % 7}`;
  });
  people.push('p1@example.com,,Dept,,', 'q@example.com,,Dept,nobody,');
  const file = ['email,employeeNumber,department,manager,team', ...people].join('\n');
  const before = await stored();
  const dry = await take(file, { batchRows, isDryRun: true });
  assert.deepEqual(await stored(), before);
  const real = await take(file, { batchRows });
  assert.deepEqual({ ...real, values: dry.values }, dry);
  assert.deepEqual(real.counts, [count - 1, 2, 0, 1]);
  assert.equal((await list()).filter(({ manager }) => manager === null).length, 2);

  const after = await stored();
  const again = await take(file, { batchRows });
  assert.deepEqual(again.counts, [0, 0, count + 1, 1]);
  assert.deepEqual(await stored(), after, 'nothing is written for who is as the file says');
});

test('the import command reads a file and writes the rejected rows beside it', async () => {
  const workspaceId = await service.addWorkspace();
  const file = join(folder, 'people.csv');
  const flags = ['--workspace', String(workspaceId)];
  await writeFile(file, 'Mail,Shoe size,Land\na@example.com,1,Team A\nnobody,=2,Team B\n');
  const map = ['--map', 'land=team'];
  const dry = await giftwire(['members', 'import', file, ...flags, ...map, '--dry-run'], env);
  assert.equal(dry.code, 1);
  assert.match(dry.stdout, /2 rows: 1 added, 0 changed, 0 unchanged, 1 rejected\./);
  assert.match(dry.stdout, /nothing was changed/);
  await rm(`${file}.rejected.csv`);

  const real = await giftwire(['member', 'import', file, ...flags, ...map], env);
  assert.equal(real.code, 1);
  assert.equal(real.stderr, '', 'no progress bar where there is no terminal');
  assert.match(real.stdout, /Not understood, left out: Shoe size\. Known: email, employeeNumber, /);
  assert.match(real.stdout, /2 rows: 1 added, 0 changed, 0 unchanged, 1 rejected\./);
  assert.match(real.stdout, /people\.csv\.rejected\.csv says why/);
  assert.equal(
    await readFile(`${file}.rejected.csv`, 'utf8'),
    "line,reason,Mail,Shoe size,Land\n3,Mail must be an e-mail address,nobody,'=2,Team B\n",
  );
});

test('the import command reads standard input and prints JSON', async () => {
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
    values: [],
    openColumns: [],
    unknownStatuses: [],
    placeholders: [],
    damagedNumbers: [],
    unknownManagers: [],
    ambiguousDates: [],
    dateOrder: null,
    dryRun: false,
    rejectedFile: null,
    stopped: null,
  });
  assert.ok(!existsSync(rejected), 'no file where nothing was rejected');
});

test('the import command refuses invalid options and files in one sentence', async () => {
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
