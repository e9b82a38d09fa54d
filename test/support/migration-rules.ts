import { builtIndex, type Migration, stopsNobody } from '../../src/ground/database/migration-file.ts';
import { withoutComments } from '../../src/ground/database/statements.ts';

/** Tables with few rows: a statement may change all of them. */
const smallTables = [
  'accounts',
  'workspaces',
  'migrations',
  'migration_checksums',
  'background_migrations',
  'histories',
  'retention_runs',
];

interface Context {
  /** The statement on one line, in lower case. */
  sql: string;
  migration: Migration;
  /** Tables that the same file creates: they are empty, and no other version knows them. */
  created: ReadonlySet<string>;
  /** Columns that a validated constraint keeps from being null, as `table.column`. */
  neverNull: ReadonlySet<string>;
  /** Whether the release before names a table or a column. */
  isUsedBefore: (name: string) => boolean;
}

/** What a migration may not do while nodes of two versions serve, and what it does instead. Each returns a sentence, or null. */
const rules: Record<string, (context: Context) => string | null | false> = {
  'an index is built concurrently': ({ sql, created }) => {
    const [, table] = /^create (?:unique )?index (?!concurrently)(?:if not exists )?\w+ on (\w+)/.exec(sql) ?? [];
    return table && !created.has(table)
      ? `stops writes to ${table}: write "create index concurrently", in a resumable file`
      : null;
  },
  'concurrently is for resumable files': ({ sql, migration }) =>
    stopsNobody(sql) && migration.kind === 'transaction' ? 'needs a file that begins with "-- resumable"' : null,
  'a resumable file can run again': ({ sql, migration }) =>
    migration.kind === 'transaction' || isRepeatable(sql) ? null : 'fails or does harm when it runs again',
  'no type of a column changes': ({ sql, created }) =>
    onExisting(sql, created, /alter (?:column )?\w+ (?:set data )?type\b/) &&
    'rewrites the table: add a column, and fill it in the background',
  'a column becomes not null after a validated check': ({ sql, created, neverNull }) => {
    const table = alteredTable(sql);
    const columns = [...sql.matchAll(/alter (?:column )?(\w+) set not null/g)].map(
      ([, column]) => `${table}.${column}`,
    );
    return columns.some((column) => !created.has(table) && !neverNull.has(column))
      ? 'reads the whole table under a lock: add "check (… is not null) not valid", and validate it in a resumable file first'
      : null;
  },
  'a new column lets the release before write': ({ sql, created }) =>
    onExisting(sql, created, /add (?:column )?(?!constraint)[^,]*\bnot null\b(?![^,]*\bdefault\b)/) &&
    'rejects rows of the release before: give the column a default',
  'a new column does not rewrite the table': ({ sql, created }) =>
    onExisting(
      sql,
      created,
      /add (?:column )?(?!constraint)[^,]*(?:default (?!now\(\))\w+\(|\breferences\b|\bunique\b|\bprimary key\b|\bgenerated\b)/,
    ) && 'reads or rewrites the whole table: add a plain column, then what it needs',
  'a constraint is added without a look at the rows': ({ sql, created }) =>
    onExisting(sql, created, /add constraint(?!.*(?:not valid|using index))/) &&
    'reads the whole table under a lock: add it "not valid", and validate it in a resumable file',
  'rows are filled in the background': ({ sql, created }) => {
    const tables = [...sql.matchAll(/\b(?:update|delete from|merge into) (\w+)/g)].map(([, table]) => table as string);
    if (/^insert into/.test(sql))
      tables.push(...[...sql.matchAll(/\b(?:from|join) (\w+)/g)].map(([, name]) => name as string));
    const large = tables.filter(
      (table) => !['of', 'on', 'set'].includes(table) && !created.has(table) && !smallTables.includes(table),
    );
    return large.length > 0 ? `reads or changes many rows of ${large.join(', ')}: do it in src/backfills.ts` : null;
  },
  'nothing is dropped or renamed that the release before uses': ({ sql, isUsedBefore }) => {
    const names = [
      ...sql.matchAll(/\b(?:drop (?:column|table) (?:if exists )?|rename (?:column )?(?:to )?)(\w+)/g),
    ].map(([, name]) => name as string);
    const used = names.filter((name) => /\brename\b/.test(sql) || isUsedBefore(name));
    return used.length > 0
      ? `breaks nodes of the release before, which use ${used.join(', ')}: drop it a release later`
      : null;
  },
  'no table is locked as a whole': ({ sql }) =>
    /^(lock|truncate|cluster|vacuum|refresh|reindex)\b/.test(sql)
      ? 'stops reads or writes for as long as it runs'
      : null,
};

function alteredTable(sql: string): string {
  return /^alter table (?:if exists )?(?:only )?(\w+)/.exec(sql)?.[1] ?? '';
}

function onExisting(sql: string, created: ReadonlySet<string>, found: RegExp): boolean {
  const table = alteredTable(sql);
  return table !== '' && !created.has(table) && found.test(sql);
}

function isRepeatable(sql: string): boolean {
  const repeatable = [
    /^drop (index concurrently|table|index) if exists /,
    /^create (table|unlogged table|sequence) if not exists /,
    /^create or replace /,
    /^alter table \w+ (add column if not exists |drop column if exists |validate constraint |drop constraint if exists )/,
    /^alter table \w+ alter column \w+ ((set|drop) (default|not null)|set storage )/,
    /^insert into .* on conflict .*do nothing$/,
  ];
  return builtIndex(sql) !== null || repeatable.some((form) => form.test(sql));
}

/** What is wrong with the migrations, in the sequence of application. */
export function findProblems(migrations: readonly Migration[], isUsedBefore: (name: string) => boolean): string[] {
  const problems: string[] = [];
  const checks = new Map<string, string>();
  const neverNull = new Set<string>();
  for (const migration of migrations) {
    const created = new Set<string>();
    for (const statement of migration.statements) {
      const sql = withoutComments(statement).toLowerCase();
      const [, table] = /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(sql) ?? [];
      if (table) created.add(table);
      noteNeverNull(sql, checks, neverNull);
      for (const [rule, find] of Object.entries(rules)) {
        const problem = find({ sql, migration, created, neverNull, isUsedBefore });
        if (problem) problems.push(`${migration.name}: ${rule}. "${sql.slice(0, 80)}" ${problem}.`);
      }
    }
  }
  return problems;
}

function noteNeverNull(sql: string, checks: Map<string, string>, neverNull: Set<string>): void {
  const table = alteredTable(sql);
  const [, added, column] = /add constraint (\w+) check \((\w+) is not null\) not valid/.exec(sql) ?? [];
  if (added && column) checks.set(`${table}.${added}`, `${table}.${column}`);
  const [, validated] = /validate constraint (\w+)/.exec(sql) ?? [];
  const kept = checks.get(`${table}.${validated}`);
  if (kept) neverNull.add(kept);
}
