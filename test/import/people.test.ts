import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renumbering, valueMap } from '../../src/doors/cli/import-arguments.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

test('a leaver’s address with another employee number is rejected as another person, with what to do', async () => {
  const { workspaceId, take, list, stored } = await openImports(
    service,
    'email,employeeNumber,firstName,active\njohn@example.com,OLD,John,false\n',
  );
  const before = await stored();
  const file = 'email,employeeNumber,firstName,active\nJohn@example.com,NEW,Johnny,true\n';
  const [[id]] = pick(await list(), 'id') as [[number]];
  const { counts, reasons } = await take(file);
  assert.deepEqual(counts, [0, 0, 0, 1]);
  assert.deepEqual(reasons, [
    `2: email is that of member ${id}, who has left and has the employeeNumber "OLD": if this is the same person with a ` +
      'new number, import with --renumber John@example.com; if the address now belongs to another person, run ' +
      `"giftwire member split id:${id} --move email --workspace ${workspaceId}" first`,
  ]);
  assert.deepEqual(await stored(), before);
  assert.deepEqual((await take(file, { renumbering: renumbering('ann@example.com') })).counts, [0, 0, 0, 1]);
  assert.deepEqual(
    (await take(file, { renumbering: renumbering('x@example.com,john@EXAMPLE.com') })).counts,
    [0, 1, 0, 0],
  );
  assert.deepEqual(pick(await list(), 'id', 'number', 'name', 'active'), [[id, 'NEW', 'Johnny/', true]]);
});

test('so is an active person’s address; with the same number, or none, it is the same person', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\nann@example.com,1\nbo@example.com,\n');
  const { reasons } = await take('email,employeeNumber\nann@example.com,2\n');
  assert.match(reasons[0] ?? '', /^2: email is that of member \d+, who is here and has the employeeNumber "1"/);
  assert.deepEqual(
    (await take('email,employeeNumber\nann@example.com,2\n', { renumbering: 'all' })).counts,
    [0, 1, 0, 0],
  );
  assert.deepEqual((await take('email,employeeNumber\nann@example.com,\nbo@example.com,7\n')).counts, [0, 1, 1, 0]);
  assert.deepEqual(pick(await list(), 'number'), [['2'], ['7']]);
});

test('an identical second row is no error, and a contradicting one is', async () => {
  const { take } = await openImports(service);
  const outcome = await take(
    [
      'email,department,Shoe size',
      'a@example.com,Lab,1',
      ' A@example.com , Lab,2'.replace('A@', 'a@'),
      'a@example.com,Sea,1',
      'a@example.com,Lab,1',
    ].join('\n'),
  );
  assert.deepEqual([outcome.counts, outcome.repeated], [[1, 0, 0, 1], 2]);
  assert.deepEqual(outcome.reasons, ['4: this is the person of line 2 again, and says something else']);
});

test('rejected rows are listed in the order of their lines', async () => {
  const { take } = await openImports(service);
  const rows = Array.from({ length: 2_400 }, (_, nth) => `p${nth}@example.com,,`);
  rows[5] = 'p5@example.com,nobody@example.com,';
  rows[6] = 'no address,,';
  rows[7] = 'p3@example.com,,Again';
  rows[2_300] = 'p2300@example.com,nobody@example.com,';
  rows[2_301] = 'p0@example.com,,Again';
  const { reasons } = await take(['email,manager,department', ...rows].join('\n'));
  assert.deepEqual(
    reasons.map((reason) => Number.parseInt(reason, 10)),
    [7, 8, 9, 2_302, 2_303],
  );
});

test('so are many of them, though unknown managers are found last', async () => {
  const { take } = await openImports(service);
  const row = (nth: number) => (nth % 2 === 0 ? 'nobody,\n' : `p${nth}@example.com,unknown@example.com\n`);
  const { counts, reasons } = await take(
    `email,manager\n${Array.from({ length: 9_000 }, (_, nth) => row(nth)).join('')}`,
  );
  assert.deepEqual(counts, [4_500, 0, 0, 4_500]);
  assert.deepEqual(
    reasons.map((reason) => Number.parseInt(reason, 10)),
    Array.from({ length: 9_000 }, (_, nth) => nth + 2),
  );
});

test('a manager is also found by "Name (number)", here and in columns that hold only names elsewhere', async () => {
  for (const header of ['Manager', 'Reports to', 'Supervisor', 'Vorgesetzter']) {
    const { take, list } = await openImports(service, 'email,employeeNumber\nold@example.com,E-7\n');
    const { counts, columns, managerNames } = await take(
      [
        `email,employeeNumber,${header}`,
        'a@example.com,1,Olga Old (E-7)',
        'b@example.com,2,"Late, Lara (5)"',
        'c@example.com,3,Olga Old <OLD@example.com>',
        'd@example.com,4,Lara Late (5) (On Leave)',
        'late@example.com,5,',
        'e@example.com,6,old@example.com',
        'f@example.com,8,5',
      ].join('\n'),
    );
    assert.equal(columns.manager, header);
    assert.deepEqual([counts, managerNames], [[7, 0, 0, 0], 0], header);
    assert.deepEqual(pick((await list()).slice(1), 'manager').flat(), [
      'old@example.com',
      'late@example.com',
      'old@example.com',
      'late@example.com',
      null,
      'old@example.com',
      'late@example.com',
    ]);
    const named = await take(`email,${header}\na@example.com,Lara Late\nb@example.com,Nobody (99)\n`);
    const unknown = (line: number, name: string) =>
      `${line}: the manager "${name}" is not known: the rest of the row was taken`;
    assert.deepEqual(named.reasons.at(-1), unknown(3, 'Nobody (99)'));
    assert.equal(named.managerNames, header === 'Manager' ? 0 : 1);
    assert.equal(named.withoutManager, header === 'Manager' ? 2 : 1);
    assert.equal((await list())[1]?.manager, 'old@example.com', 'a name changes nothing');
  }
});

test('a number in parentheses after a name is an employee number, never an id', async () => {
  const { take, list } = await openImports(service, 'email,employeeNumber\nold@example.com,E-7\n');
  const [[id]] = pick(await list(), 'id') as [[number]];
  assert.equal((await take(`email,manager\na@example.com,Olga Old (${id})\n`)).withoutManager, 1);
});

test('a preferred name in the file is stored beside the legal names', async () => {
  const names = async (header: string, ...rows: string[]) => {
    const { take, workspaceId } = await openImports(service);
    await take(`${['email', header].join(',')}\n${rows.map((row, nth) => `p${nth}@example.com,${row}\n`).join('')}`);
    const found = await service.database.query<{ names: string }>(
      `select first_name || '/' || last_name || '/' || coalesce(preferred_name, '') as names
         from members where workspace_id = $1 and not is_integration order by id`,
      [workspaceId],
    );
    return found.map((row) => row.names);
  };
  assert.deepEqual(
    await names(
      'Legal First Name,Legal Last Name,Preferred Name',
      'Elizabeth,Smith,Liz',
      'Elizabeth,Smith,Liz Smith',
      'Elizabeth,Smith,',
      'Elizabeth,Smith,"Jones, Liz"',
    ),
    ['Elizabeth/Smith/Liz', 'Elizabeth/Smith/Liz Smith', 'Elizabeth/Smith/', 'Elizabeth/Smith/Liz Jones'],
  );
  const parts = 'First name,Last name,Preferred first name,Preferred last name';
  assert.deepEqual(await names(parts, 'Eli,Smith,Liz,', 'Eli,Smith,,Jones', 'Eli,Smith,Mary Ann,', 'Eli,Smith,,'), [
    'Eli/Smith/Liz',
    'Eli/Smith/Eli Jones',
    'Eli/Smith/Mary Ann Smith',
    'Eli/Smith/',
  ]);
  assert.deepEqual(await names('Preferred Name', 'Liz Smith'), ['//Liz Smith']);
  assert.deepEqual(await names('Name,Preferred Name', 'Elizabeth Smith,Liz'), ['Elizabeth/Smith/Liz']);
});

test('a company’s own status values can be mapped', async () => {
  const { take, list } = await openImports(service);
  const values = valueMap('department:FIN=Finance', valueMap('department: n/a =', valueMap('active:X-1=false')));
  const file = 'email,department,active\na@example.com,fin,x-1\nb@example.com,N/A,true\nc@example.com,Lab,\n';
  assert.deepEqual((await take(file, { values })).counts, [3, 0, 0, 0]);
  assert.deepEqual(pick(await list(), 'department', 'active'), [
    ['Finance', false],
    [null, true],
    ['Lab', true],
  ]);
  for (const text of ['department', 'department:x', 'shoe:1=2', 'department:=Lab'])
    assert.throws(() => valueMap(text), /field:value=meaning/, text);
});

test('a former address may go to a new person if the file also has its former owner', async () => {
  for (const batchRows of [1, 2_000])
    for (const rows of [
      ['ann.smith@example.com,Anna', 'ann.married@example.com,Ann'],
      ['ann.married@example.com,Ann', 'ann.smith@example.com,Anna'],
    ]) {
      const { take, list } = await openImports(
        service,
        'email,employeeNumber,firstName\nann.smith@example.com,5,Ann\n',
      );
      const [[ann]] = pick(await list(), 'id') as [[number]];
      await take('email,employeeNumber\nann.married@example.com,5\n');
      const file = ['email,firstName', ...rows, ''].join('\n');
      assert.deepEqual((await take(file, { batchRows, isDryRun: true })).counts, [1, 0, 1, 0]);
      assert.deepEqual((await take(file, { batchRows })).counts, [1, 0, 1, 0]);
      const people = pick(await list(), 'id', 'email', 'name');
      assert.deepEqual(people[0], [ann, 'ann.married@example.com', 'Ann/']);
      assert.deepEqual(people[1]?.slice(1), ['ann.smith@example.com', 'Anna/']);
    }
});
