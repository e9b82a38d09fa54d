import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addMembers } from '../../src/company/directory/save.ts';
import { findOrAddTeams, replaceTeams } from '../../src/company/directory/teams.ts';
import { exportMembers } from '../../src/company/import/export.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { isPlaceholder } from '../../src/ground/sheets/cells.ts';
import { plainCell, safeCell } from '../../src/ground/values/csv.ts';
import { cleanUp } from '../support/cleanup.ts';
import fc from '../support/fast-check.ts';
import { importAll } from '../support/imports.ts';
import { naughtyStrings } from '../support/naughty-strings.ts';
import { giftwire, program, projectDir, shellEnv } from '../support/process.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const { database } = service;
const env = { DATABASE_URL: database.url };

interface Person {
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  department: string | null;
  costCentre: string | null;
  location: string | null;
  team: string;
  active: boolean;
  leftOn?: string;
}

const nobody: Person = {
  email: null,
  employeeNumber: null,
  firstName: '',
  lastName: '',
  department: null,
  costCentre: null,
  location: null,
  team: 'Everyone',
  active: true,
};

/** A workspace with these people, of whom each is the next one's manager. */
async function openCompany(people: Partial<Person>[]): Promise<number> {
  const workspaceId = await service.addWorkspace();
  await inWorkspace(database, workspaceId, async (tx) => {
    const ids = await addMembers(
      tx,
      workspaceId,
      people.map(({ team: _, ...fields }) => fields),
    );
    const teams = await findOrAddTeams(tx, workspaceId, [...new Set(people.map(({ team = 'Everyone' }) => team))]);
    await replaceTeams(
      tx,
      workspaceId,
      people.map(({ team = 'Everyone' }, nth) => ({ memberId: ids[nth] as number, teamId: teams.get(team) as number })),
    );
    await tx.query(
      `update members m
          set manager_id = (select max(b.id) from members b where b.workspace_id = $1 and b.id < m.id)
        where workspace_id = $1`,
      [workspaceId],
    );
  });
  return workspaceId;
}

async function exported(workspaceId: number, includeInactive = true): Promise<string> {
  let text = '';
  await exportMembers(database, { workspaceId, includeInactive }, async (part) => {
    text += part;
  });
  return text;
}

const nasty = fc.oneof(
  fc.constantFrom(...naughtyStrings),
  fc.string({ unit: fc.constantFrom(...`"',;|\t\r\n=+-@ \u00a0aé'`), maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const stored = nasty.filter((text) => !text.includes('\0') && text.isWellFormed() && [...text].length <= 100);
const field = fc.oneof(fc.constant(null), stored);

test('importing an export changes nothing, for any text', async () => {
  const person = fc.record({
    firstName: stored,
    lastName: stored,
    department: field,
    costCentre: field,
    location: field,
    team: stored.map((text) => text.trim() || 'Everyone'),
    active: fc.boolean(),
    employeeNumber: stored.map((text) => text.trim().slice(0, 64)).filter((text) => text.isWellFormed()),
  });
  const people = fc.array(person, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(people, async (drawn) => {
      const taken = new Set<string>();
      const workspaceId = await openCompany(
        drawn.map(({ employeeNumber, ...rest }, nth) => {
          const isFree = employeeNumber !== '' && !taken.has(employeeNumber);
          taken.add(employeeNumber);
          return { ...rest, email: `p${nth}@example.com`, employeeNumber: isFree ? employeeNumber : null };
        }),
      );
      const before = await exported(workspaceId);
      const { rows, unchanged } = await importAll(database, workspaceId, before);
      assert.deepEqual([rows, unchanged], [drawn.length, drawn.length]);
      assert.equal(await exported(workspaceId), before);
    }),
    { numRuns: runs(60) },
  );
});

test('importing an export into another workspace makes the same people', async () => {
  // An import takes a placeholder as an empty name.
  const texts = naughtyStrings.filter((text) => text.trim() === text && !isPlaceholder(text));
  const first = await openCompany(
    texts.map((text, nth) => ({ ...nobody, employeeNumber: `n${nth}`, firstName: text, department: text, team: text })),
  );
  const text = await exported(first);
  const second = await service.addWorkspace();
  assert.equal((await importAll(database, second, text)).added, texts.length);
  const sorted = (csv: string) => (parse(csv) as string[][]).map((row) => row.join('|')).sort();
  assert.deepEqual(sorted(await exported(second)), sorted(text));
});

test('an escaped cell is not a formula, and unescapes to the original', () => {
  fc.assert(
    fc.property(
      fc.oneof(nasty, fc.string({ unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', 'a') })),
      (text) => {
        assert.doesNotMatch(safeCell(text), /^[=+\-@\t\r]/);
        assert.equal(plainCell(safeCell(text)), text);
      },
    ),
  );
  assert.equal(safeCell('=1+1'), "'=1+1");
  assert.equal(safeCell("'=1+1"), "''=1+1");
  assert.equal(safeCell("O'Neill"), "O'Neill");
  assert.equal(safeCell("'t Hooft"), "'t Hooft");
});

test('an export has these columns, the active people, and managers by address or number', async () => {
  const workspaceId = await openCompany([
    { email: 'ada@example.com', employeeNumber: '1', firstName: '=cmd', lastName: '@SUM(1)', department: '-2' },
    { employeeNumber: '+2', firstName: 'Grace', team: 'Navy, "Blue"' },
    { email: 'gone@example.com', active: false, leftOn: '2024-02-29' },
    { email: 'last@example.com' },
  ]);
  await service.addToken({ workspaces: [workspaceId] });
  const header =
    'email,employeeNumber,firstName,lastName,preferredName,department,costCentre,location,manager,team,currency,pictureUrl,country,hireDate,birthday,language,timeZone,phone,leaveStartsOn,leaveEndsOn,hiddenDays,active,leavingDate';
  const lines = [
    "ada@example.com,1,'=cmd,'@SUM(1),,'-2,,,,Everyone,,,,,,,,,,,,true,",
    `,'+2,Grace,,,,,,ada@example.com,"Navy, ""Blue""",,,,,,,,,,,,true,`,
    "gone@example.com,,,,,,,,'+2,Everyone,,,,,,,,,,,,false,2024-02-29",
    'last@example.com,,,,,,,,gone@example.com,Everyone,,,,,,,,,,,,true,',
  ];
  assert.deepEqual((await exported(workspaceId)).split('\n'), [header, ...lines, '']);
  const here = lines.filter((line) => line.endsWith('true,'));
  assert.deepEqual((await exported(workspaceId, false)).split('\n'), [header, ...here, '']);

  const flags = ['--workspace', String(workspaceId)];
  const printed = await giftwire(['members', 'export', ...flags], env);
  assert.deepEqual([printed.code, printed.stderr], [0, '']);
  assert.equal(printed.stdout, await exported(workspaceId, false));
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-members-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const file = join(folder, 'people.csv');
  const written = await giftwire(['members', 'export', file, ...flags, '--include-inactive', '--json'], env);
  assert.deepEqual(JSON.parse(written.stdout), { file, people: 4 });
  assert.equal(await readFile(file, 'utf8'), await exported(workspaceId));
});

test('an export with a byte order mark and leaving dates can be imported into another workspace', async () => {
  const workspaceId = await openCompany([
    { email: 'zoe@example.com', firstName: 'Zoë', active: false, leftOn: '2024-02-29' },
    { email: 'here@example.com' },
    { email: 'today@example.com', active: false },
  ]);
  const args = ['members', 'export', '--workspace', String(workspaceId), '--include-inactive', '--bom'];
  const { stdout } = await giftwire(args, env);
  assert.equal(stdout, `\ufeff${await exported(workspaceId)}`);
  const other = await service.addWorkspace();
  assert.equal((await importAll(database, other, stdout)).added, 3);
  assert.equal(await exported(other), await exported(workspaceId));
  assert.equal((await importAll(database, other, stdout)).unchanged, 3);
});

test('an export ends quietly when its reader closes the pipe', async () => {
  const people = Array.from({ length: 20_000 }, (_, nth) => ({
    email: `p${nth}@example.com`,
    department: 'x'.repeat(90),
  }));
  const workspaceId = await service.addWorkspace();
  await inWorkspace(database, workspaceId, (tx) => addMembers(tx, workspaceId, people));
  const args = [program, 'members', 'export', '--workspace', String(workspaceId)];
  const child = spawn(process.execPath, args, { cwd: projectDir, env: shellEnv(env) });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'close');
  assert.deepEqual([code, complaints], [0, '']);
});

test('exporting an unknown workspace is refused', async () => {
  const { code, stdout, stderr } = await giftwire(['members', 'export', '--workspace', '999999'], env);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /There is no workspace 999999/);
});
