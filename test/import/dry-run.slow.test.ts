import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { cleanUp } from '../support/cleanup.ts';
import { inOnePiece, openImports, pick } from '../support/imports.ts';
import { giftwire } from '../support/process.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const env = { DATABASE_URL: service.database.url };
const folder = await mkdtemp(join(tmpdir(), 'giftwire-dry-run-'));
cleanUp(() => rm(folder, { recursive: true }));

const staff = [
  'email,employeeNumber,firstName,lastName,department,active',
  'ada@example.com,1,Ada,Lovelace,Lab,true',
  'bob@example.com,2,Bob,Boss,Board,true',
  'cy@example.com,3,Cy,Left,Lab,false',
  'di@example.com,4,Di,Same,Lab,true',
  'ed@example.com,5,Ed,Bye,Lab,true',
  '',
].join('\n');
const next = [
  'email,employeeNumber,firstName,lastName,department,manager,active',
  'ada@example.com,1,Ada,King,Sea,bob@example.com,true',
  'new@example.com,9,Nia,New,Lab,,true',
  'cy@example.com,3,Cy,Left,Lab,,true',
  'di@example.com,4,Di,Same,Lab,last@example.com,true',
  'ed@example.com,5,Ed,Bye,Lab,,false',
  'bob@example.com,2,Bob,Boss,Board,,true',
  'last@example.com,10,\u001b[31mLast,Line,,,true',
  '',
].join('\n');

test('a dry run says who would be added, changed, leave and return, and changes nothing', async () => {
  const { workspaceId, stored } = await openImports(service, staff);
  const file = join(folder, 'next.csv');
  await writeFile(file, next);
  const before = await stored();
  const args = ['members', 'import', file, '--workspace', String(workspaceId), '--dry-run'];
  const list = join(folder, 'changes.csv');
  const [shown, json] = await Promise.all([
    giftwire([...args, '--changes', list], env),
    giftwire([...args, '--json', '--rejected', join(folder, 'bad.csv')], env),
  ]);
  assert.deepEqual(await stored(), before);
  assert.deepEqual([shown.code, shown.stderr], [0, '']);
  const from = shown.stdout.indexOf('Added');
  assert.deepEqual(shown.stdout.slice(from).trim().split('\n'), [
    'Added (2):',
    '  line 3: Nia New (new@example.com, 9)',
    '  line 8: Last Line (last@example.com, 10)',
    'Changed (2):',
    '  line 2: Ada Lovelace (ada@example.com, 1): lastName, department, manager',
    '  line 5: Di Same (di@example.com, 4): manager',
    'Leaving (1):',
    '  line 6: Ed Bye (ed@example.com, 5): active',
    'Returning (1):',
    '  line 4: Cy Left (cy@example.com, 3): active',
    '7 rows: 2 added, 4 changed (1 leave, 1 return), 1 unchanged, 0 rejected.',
    `${list} lists all people who are added or changed.`,
    'This was a dry run: nothing was changed.',
  ]);
  const { changes } = JSON.parse(json.stdout) as { changes: { line: number; change: string; fields: string[] }[] };
  assert.deepEqual(
    changes.map(({ line, change, fields }) => [line, change, fields.join(' ')]),
    [
      [2, 'changed', 'lastName department manager'],
      [3, 'added', ''],
      [4, 'returns', 'active'],
      [5, 'changed', 'manager'],
      [6, 'leaves', 'active'],
      [8, 'added', ''],
    ],
  );
  const rows = parse(await readFile(list, 'utf8'), { columns: true }) as Record<string, string>[];
  assert.deepEqual(
    rows.map(({ line, change, email }) => [Number(line), change, email]),
    changes.map(({ line, change, ...rest }) => [line, change, (rest as unknown as { email: string }).email]),
  );
});

test('a long list of changes is shortened on the terminal and says how many more there are', async () => {
  const { workspaceId } = await openImports(service);
  const file = join(folder, 'many.csv');
  await writeFile(file, `email\n${Array.from({ length: 57 }, (_, nth) => `p${nth}@example.com\n`).join('')}`);
  const args = ['members', 'import', file, '--workspace', String(workspaceId), '--dry-run'];
  const { stdout } = await giftwire(args, env);
  assert.match(stdout, /\n {2}line 11: p9@example\.com\n {2}and 47 more\nAll of them: --changes <file>, or --json\.\n/);
});

test('an import reports the same changes as its dry run', async () => {
  const { take } = await openImports(service, staff);
  const dry = await take(next, { isDryRun: true, isListing: true });
  const real = await take(next, { isListing: true });
  const kinds = (outcome: typeof real) => outcome.changes?.map(({ line, change, fields }) => [line, change, fields]);
  assert.deepEqual(kinds(real), kinds(dry));
  assert.ok(real.changes?.every(({ id }) => id !== null));
  assert.deepEqual((await take(next, { isListing: true })).changes, []);
});

test('a list of changes that is limited has the people of the first lines', async () => {
  const people = Array.from({ length: 12 }, (_, nth) => `n${nth}@example.com,,,,,n${11 - nth}@example.com,true\n`);
  const file = next + people.join('');
  const options = { isDryRun: true, isListing: true, batchRows: 2, allowedLeavers: 9 };
  const ofKnownPeople = await openImports(service, staff);
  const ofNewPeople = await openImports(service);
  // Of new people, managers are taken before their places.
  const readAgain = { openAgain: () => inOnePiece(file) };
  for (const [{ take }, more] of [
    [ofKnownPeople, {}],
    [ofNewPeople, readAgain],
  ] as const) {
    const { changes } = await take(file, { ...options, ...more });
    assert.ok(changes && changes.length > 15);
    for (let mostListed = 0; mostListed <= changes.length; mostListed++)
      assert.deepEqual((await take(file, { ...options, ...more, mostListed })).changes, changes.slice(0, mostListed));
  }
});

test('an import that would deactivate more than a tenth needs permission, and applies everything else', async () => {
  const people = (status: (nth: number) => string, department: string) =>
    `email,department,status\n${Array.from({ length: 100 }, (_, nth) => `p${nth}@example.com,${department},${status(nth)}\n`).join('')}`;
  const { workspaceId, take, list } = await openImports(
    service,
    people(() => 'A', 'Old'),
  );
  const eleven = people((nth) => (nth < 11 ? 'T' : 'A'), 'New');
  const dry = await take(eleven, { isDryRun: true, isListing: true });
  assert.deepEqual([dry.heldBack, dry.leaving, dry.leaversWithoutAsking], [11, 0, 10]);
  assert.equal(dry.changes?.filter(({ change }) => change === 'heldBack').length, 11);

  const file = join(folder, 'leavers.csv');
  await writeFile(file, eleven);
  const args = ['members', 'import', file, '--workspace', String(workspaceId)];
  const held = await giftwire(args, env);
  assert.equal(held.code, 1);
  assert.match(held.stdout, /11 people would leave, .* at most 10 do: .* --allow-leavers 11\./);
  const gone = async () => (await list()).filter(({ active }) => !active).length;
  assert.equal(await gone(), 0);
  assert.ok(pick(await list(), 'department').every(([department]) => department === 'New'));
  assert.equal((await giftwire([...args, '--allow-leavers', '10'], env)).code, 1);
  assert.equal(await gone(), 0);
  const allowed = await giftwire([...args, '--allow-leavers', '11'], env);
  assert.deepEqual([allowed.code, allowed.stderr], [0, '']);
  assert.match(allowed.stdout, /100 rows: 0 added, 11 changed \(11 leave\), 89 unchanged, 0 rejected\./);
  assert.equal(await gone(), 11);
});

test('up to a tenth may leave, of few people five or half, and people added as leavers do not count', async () => {
  const cases: [number, number, number][] = [
    [100, 10, 0],
    [100, 11, 11],
    [12, 5, 0],
    [12, 6, 6],
    [4, 2, 0],
    [4, 3, 3],
    [1, 1, 0],
  ];
  const file = (count: number, leavers: number) =>
    `email,status\n${Array.from({ length: count }, (_, nth) => `p${nth}@example.com,${nth < leavers ? 'T' : 'A'}\n`).join('')}`;
  for (const [count, leavers, heldBack] of cases) {
    const { take } = await openImports(service, file(count, 0));
    const outcome = await take(file(count, leavers));
    assert.deepEqual([outcome.heldBack, outcome.leaving], [heldBack, leavers - heldBack], `${leavers} of ${count}`);
  }
  const { take } = await openImports(service);
  assert.deepEqual((await take(file(50, 40))).counts, [50, 0, 0, 0]);
});
