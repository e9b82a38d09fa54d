import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { mayImport } from '../support/modules.ts';
import { files, moduleOf, read, root } from '../support/source-files.ts';
import { mayAlsoWrite, mayRead, mayReadUp, writerOf } from '../support/tables.ts';

test('a table is written by its own module alone', () => {
  const writes = /\b(?:insert\s+into|update|delete\s+from)\s+([a-z_]+)\b[^`']{0,40}/g;
  const used = new Set<string>();
  for (const { path, text } of files)
    for (const [statement, table = ''] of text.matchAll(writes)) {
      if (!Object.hasOwn(writerOf, table) || writerOf[table] === moduleOf(path)) continue;
      const exception = mayAlsoWrite[path]?.find((start) => statement.replace(/\s+/g, ' ').startsWith(start));
      assert.ok(
        exception,
        `${path} writes ${table}: call a function of src/${writerOf[table]} instead of "${statement}"`,
      );
      used.add(`${path} ${exception}`);
    }
  const listed = Object.entries(mayAlsoWrite).flatMap(([path, starts]) => starts.map((start) => `${path} ${start}`));
  assert.deepEqual([...used].sort(), listed.sort(), 'test/support/tables.ts lists a statement that does not exist');
});

/** The tables that a file names in SQL: after from, join and the like, and further ones of the same list. */
function tablesIn(text: string): Set<string> {
  const places =
    /\b(?:from|join|using|table|only|null::|rowsOf\(')\s*([a-z_]+)((?:\s+(?:as\s+)?[a-z_]+)?\s*,\s*[a-z_]+\s+[a-z_]+)*/g;
  const code = text.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  const named = [...code.matchAll(places)].flatMap(([place]) => place.match(/[a-z_]+/g) ?? []);
  return new Set(named.filter((name) => Object.hasOwn(writerOf, name)));
}

test('reads of tables point down', () => {
  const used = new Set<string>();
  for (const { path, text } of files) {
    const module = moduleOf(path);
    // The contract has prose, and files at the root connect all modules.
    if (module === 'contract' || path.split('/').length === 2) continue;
    const allowed = [module, ...(mayImport[module] ?? []), ...(mayRead[module] ?? [])];
    for (const table of tablesIn(text)) {
      const owner = writerOf[table] as string;
      if (allowed.includes(owner)) {
        used.add(`${module} ${owner}`);
        continue;
      }
      assert.ok(
        mayReadUp[path]?.includes(table),
        `${path} reads ${table}: call a function of ${owner}, or let a module above both read it (test/support/tables.ts)`,
      );
      used.add(`${path} ${table}`);
    }
  }
  const listed = [mayRead, mayReadUp].flatMap((reads) =>
    Object.entries(reads).flatMap(([from, to]) => to.map((one) => `${from} ${one}`)),
  );
  assert.deepEqual(
    listed.filter((one) => !used.has(one)),
    [],
    'test/support/tables.ts lists a read that does not exist',
  );
  assert.ok(Object.values(mayReadUp).flat().length <= 6, 'upward reads are the exception');
});

test('every table has a module that writes it', () => {
  const migrations = globSync('src/ground/database/migrations/*.sql', { cwd: root }).sort();
  const tables = new Set<string>();
  for (const path of migrations)
    for (const [, created, dropped, renamed, newName] of read(path).matchAll(
      /^(?:create (?:unlogged )?table (?:if not exists )?([a-z_]+)|drop table (?:if exists )?([a-z_]+)|alter table ([a-z_]+) rename to ([a-z_]+))/gm,
    )) {
      tables.delete(dropped ?? renamed ?? '');
      const added = created ?? newName;
      if (added) tables.add(added);
    }
  assert.deepEqual(
    Object.keys(writerOf).sort(),
    [...tables].sort(),
    'list each table in writerOf of test/support/tables.ts',
  );
});

test('ARCHITECTURE.md lists every table once, with the module that writes it', () => {
  const [, rows = ''] = /^\| Module \| Table .*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(read('ARCHITECTURE.md')) ?? [];
  let module = '';
  const shown = rows
    .trim()
    .split('\n')
    .flatMap((row) => {
      const [, named = '', tables = ''] = row.split('|').map((cell) => cell.trim());
      module = named || module;
      return [...tables.matchAll(/`(\w+)`/g)].map(([, table]) => `${table} ${module}`);
    });
  const written = { ...writerOf, migrations: 'database' };
  assert.deepEqual(
    shown.sort(),
    Object.entries(written)
      .map((entry) => entry.join(' '))
      .sort(),
  );
});

test('no table has a trigger: the function that writes also writes what derives from it', () => {
  const migrations = globSync('src/ground/database/migrations/*.sql', { cwd: root }).filter(
    (path) => path > lastWithTriggers,
  );
  for (const path of migrations) assert.doesNotMatch(read(path), /create\s.*trigger/i, path);
});

const lastWithTriggers = 'src/ground/database/migrations/0009';
