import type { Queryable } from '../../ground/database/database.ts';
import { countOfNumbers, historyBase } from '../../ground/database/history.ts';
import { readNewest } from './each.ts';
import { momentOf } from './lock.ts';

/**
 * A kind of record whose decisive columns are sealed: a hash of them is appended to the workspace's chain of seals with every change, so
 * that verification finds a change that was made with SQL.
 */
export interface SealedRecord {
  /** Stored with each seal. */
  name: string;
  /** What a finding calls the record of a key, as an SQL expression. */
  called: (key: string) => string;
  /** The key as text, as an SQL expression. */
  key: string;
  /** Where the record of a key is, as an SQL condition. */
  at: (key: string) => string;
  /** How the other tables are joined to the first. */
  joins?: string;
  /** A condition on the rows that are sealed; absent: all. */
  where?: string;
  /** Several rows are one record: how they are grouped, and in which sequence their texts are joined. */
  group?: { by: string; order: string };
  /** Conditions on rows, with an index each, whose money can still be paid out: every verification compares them. Absent: none. */
  open?: readonly string[];
  /** The first version of seals that has it; absent: 1. Nodes that know only earlier versions leave its seals to others. */
  since?: number;
  tables: readonly [SealedTable, ...SealedTable[]];
}

export interface SealedTable {
  table: string;
  alias: string;
  columns: Readonly<Record<string, Column>>;
}

/**
 * What becomes of a column. `seal`: its text in the seal, as an SQL expression. `key`: it is a part of the key. `checked`: another check
 * finds a change, and the text says which. `open`: a change decides nothing about money, and the text says why.
 */
export type Column = { seal: (column: string) => string } | { key: true } | { checked: string } | { open: string };

/** How columns are sealed. */
export const sealAs = {
  key: { key: true },
  /** A number, a UUID, a word from a fixed list, and never null: no comma is in its text. */
  plain: { seal: (column) => column },
  /** The same where it can be null. */
  optional: { seal: (column) => `coalesce(${column}::text, '-')` },
  /** Any text, or a type whose text can have any characters. */
  quoted: { seal: (column) => `quote_nullable(${column}::text)` },
  /** A moment, written the same way in every time zone of the session. */
  moment: { seal: (column) => `coalesce(extract(epoch from ${column})::text, '-')` },
  day: { seal: (column) => `coalesce(to_char(${column}, 'YYYY-MM-DD'), '-')` },
  bytes: { seal: (column) => `encode(${column}, 'hex')` },
  /** A column that a later version has added. Where it is null it is not in the text, so that earlier seals still agree. */
  added: { seal: (column) => `'${nameOf(column)}=' || quote_literal(${column}::text)` },
  addedMoment: { seal: (column) => `'${nameOf(column)}=' || extract(epoch from ${column})::text` },
  /** Who did something: kind and id without the name, which is personal data. */
  actor: { seal: (column) => `quote_nullable(${column} ->> 'is') || ' ' || quote_nullable(${column} ->> 'id')` },
} as const satisfies Record<string, Column>;

function nameOf(column: string): string {
  return column.slice(column.indexOf('.') + 1);
}

/** Why a column may be left open, for the reasons that several tables share. */
export const notSealed = {
  personal: { open: 'what people wrote: personal data, which may be removed later' },
  idempotency: { open: 'recognizes a repeated request, which moves nothing; what moved is in the ledger' },
  name: { open: 'what it is called' },
} as const satisfies Record<string, Column>;

/** The text that is hashed, as an SQL expression. */
export function sealedText({ tables, group }: SealedRecord): string {
  const texts = tables.flatMap(({ alias, columns }) =>
    Object.entries(columns).flatMap(([name, column]) => ('seal' in column ? [column.seal(`${alias}.${name}`)] : [])),
  );
  const text = `concat_ws(',', ${texts.join(', ')})`;
  return group ? `string_agg(${text}, E'\\n' order by ${group.order})` : text;
}

/** The text of the record with a key in the workspace `$1`, as an SQL expression. Null: there is no such record. */
export function textAt(record: SealedRecord, key: string): string {
  const { table, alias } = record.tables[0];
  return `(select ${sealedText(record)}
              from ${table} ${alias} ${record.joins ?? ''}
             where ${alias}.workspace_id = $1
               and ${record.at(key)}
               and ${record.where ?? 'true'})`;
}

/** The hash of a text, as an SQL expression. */
export function sealHash(text: string): string {
  return `sha256(convert_to(${text}, 'UTF8'))`;
}

/** The hash of a record that is not there, as an SQL expression. */
export const noRecord = `decode(repeat('00', 32), 'hex')`;

/** The names of a record's columns that are sealed. */
export function sealedColumns({ tables }: SealedRecord): string[] {
  return tables.flatMap(({ columns }) => Object.keys(columns).filter((name) => 'seal' in (columns[name] as Column)));
}

/** Records of one kind. */
export interface Sealing {
  record: SealedRecord;
  keys: readonly (string | number)[];
}

/**
 * Seals records as they are now: what was changed, added or removed in this transaction. The caller holds the workspace's lock. One row for
 * all of them, as the ledger has one entry for a batch.
 */
export async function seal(tx: Queryable, workspaceId: number, ...sealings: readonly Sealing[]): Promise<void> {
  const some = sealings.filter(({ keys }) => keys.length > 0);
  if (some.length === 0) return;
  await tx.query(sealSql(some.map(({ record }) => record)), [
    workspaceId,
    momentOf(tx, workspaceId),
    ...some.map(({ keys }) => [...new Set(keys.map(String))]),
  ]);
}

/**
 * The latest version of the texts that are hashed. A release that seals other columns or other records has another one (decision 79). Version 2
 * added checkpoints, version 3 budgets that are shared or lapse; a seal without them is still of version 1, so that nodes of the release before compare it.
 */
export const sealVersion = 3;

function versionOf(records: readonly SealedRecord[]): number {
  return Math.max(...records.map(({ since = 1 }) => since));
}

/** The columns of a row of `seals` that its hash is made of, as SQL expressions. `joined`: its hashes, one behind the other. */
export interface SealColumns {
  previous: string;
  workspaceId: string;
  number: string;
  version: string;
  at: string;
  records: string;
  keys: string;
  joined: string;
}

/** The hash of a row of `seals`, as an SQL expression. Docs/money.md shows its text. */
export function chainHash(s: SealColumns): string {
  const lines = [
    `'giftwire seals 1'`,
    `encode(${s.previous}, 'hex')`,
    s.workspaceId,
    s.number,
    s.version,
    `to_char(${s.at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    `array_to_string(${s.records}, ',')`,
    `array_to_string(${s.keys}, ',')`,
    `encode(${s.joined}, 'hex')`,
  ];
  return sealHash(`concat_ws(E'\\n', ${lines.join(', ')})`);
}

function sealSql(records: readonly SealedRecord[]): string {
  const version = versionOf(records);
  const texts = records.map(
    (record, nth) => `
    select ${nth} as kind, '${record.name}' as record, asked.key,
           ${textAt(record, 'asked.key')} as text
      from unnest($${nth + 3}::text[]) as asked (key)`,
  );
  return `
  with texts as (${texts.join(`
     union all`)}
  ),
  sealed as (
    select array_agg(record order by kind, key) as records, array_agg(key order by kind, key) as keys,
           array_agg(hash order by kind, key) as hashes, string_agg(hash, '' order by kind, key) as joined
      from (select kind, record, key, coalesce(${sealHash('text')}, ${noRecord}) as hash from texts) hashed
  ),
  chained as (
    select greatest(coalesce(before.number, 0), ${historyBase}) + 1 as number, coalesce(before.hash, ${noRecord}) as previous
      from (values (1)) as one
      left join (select number, hash from seals where workspace_id = $1 order by number desc limit 1) before on true
  )
  insert into seals (workspace_id, number, version, at, records, keys, hashes, previous, hash)
  select $1::bigint, c.number, ${version}, $2::timestamptz, s.records, s.keys, s.hashes, c.previous,
         ${chainHash({
           previous: 'c.previous',
           workspaceId: '$1::bigint',
           number: 'c.number',
           version: String(version),
           at: '$2::timestamptz',
           records: 's.records',
           keys: 's.keys',
           joined: 's.joined',
         })}
    from chained c, sealed s`;
}

/** The latest hash of a workspace's chain of seals. */
export interface SealHead {
  workspaceId: number;
  seals: number;
  head: string;
}

const sealCount = countOfNumbers({ table: 'seals', of: 'n.workspace_id = $1::bigint', after: '0', latest: 's.number' });

/** The latest hash of each chain of seals, those with the newest first. */
export function readSealHeads(on: Queryable, limit: number | null = null): Promise<SealHead[]> {
  return readNewest<SealHead>(on, limit, (id) => on.query(headSql, [id]));
}

const headSql = `
  select $1::bigint as "workspaceId", ${sealCount} as seals, encode(s.hash, 'hex') as head, (extract(epoch from s.at) * 1000000)::bigint as at
    from seals s
   where s.workspace_id = $1
   order by s.number desc
   limit 1`;
