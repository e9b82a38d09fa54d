import { randomBytes } from 'node:crypto';
import { beforeCommit, type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { historyBase } from '../../ground/database/history.ts';
import { readNewest } from './each.ts';

/**
 * The audit log is a chain in each workspace (decision 155). An entry gets the next number and the hash of the entry before as the last thing in
 * its transaction: the end of the chain is the last lock that a transaction takes, so that entries need no lock of the workspace and a writer
 * waits for the commit of another one at most.
 *
 * The hash covers names and details only through `text_hash`, a hash with a random key that is stored beside it. Erasing a person replaces the key and notes the
 * hashes of what is left in a new entry (`recommit`), so that the chain never changes and what it was made of cannot be guessed.
 */

/** The columns of an entry that its hash is made of, as SQL expressions. */
interface HashedColumns {
  previous: string;
  number: string;
  takenInAt: string;
  textHash: string;
  /** An alias of audit_log for the others. */
  entry: string;
}

const momentText = (moment: string) => `to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The hash of an entry, as an SQL expression. docs/operate.md shows its text. */
export function auditHash({ previous, number, takenInAt, textHash, entry }: HashedColumns): string {
  const lines = [
    `'giftwire audit 1'`,
    `encode(${previous}, 'hex')`,
    `${entry}.workspace_id`,
    number,
    `${entry}.id`,
    momentText(`${entry}.at`),
    `quote_literal(${entry}.actor)`,
    `coalesce(${entry}.actor_id::text, '-')`,
    `quote_literal(${entry}.action)`,
    `quote_nullable(${entry}.subject_id)`,
    `coalesce(${momentText(takenInAt)}, '-')`,
    `encode(${textHash}, 'hex')`,
  ];
  return `sha256(convert_to(concat_ws(E'\\n', ${lines.join(', ')}), 'UTF8'))`;
}

/** The hash of the names and details of an entry with a key, as an SQL expression. */
export function textHash(entry: string, key: string): string {
  const texts = `jsonb_build_array(${entry}.actor_name, ${entry}.subject_name, ${entry}.detail)::text`;
  return `sha256(${key} || convert_to(${texts}, 'UTF8'))`;
}

const keyBytes = 32;

const newKeys = (count: number) => Array.from({ length: count }, () => randomBytes(keyBytes));

const waiting = new WeakMap<Queryable, Map<number, number[]>>();

/** Chains entries of this transaction before it commits. */
export function chainBeforeCommit(tx: Queryable, workspaceId: number, ids: readonly number[]): void {
  const known = waiting.get(tx);
  const mine = known ?? new Map<number, number[]>();
  mine.set(workspaceId, [...(mine.get(workspaceId) ?? []), ...ids]);
  if (known) return;
  waiting.set(tx, mine);
  beforeCommit(tx, async () => {
    waiting.delete(tx);
    for (const [id, entries] of [...mine].sort(([a], [b]) => a - b)) {
      await lockChain(tx, id);
      await chain(tx, id, entries, null);
    }
  });
}

/** Gives entries that have no number the next numbers, in the sequence of their ids. The caller holds the lock of the chain. */
async function chain(tx: Queryable, workspaceId: number, ids: readonly number[], takenInAt: Date | null) {
  await tx.query(chainSql, [workspaceId, ids, newKeys(ids.length), takenInAt]);
}

/** Lets one transaction at a time continue the chain. Nothing else is locked afterwards. */
async function lockChain(tx: Queryable, workspaceId: number): Promise<void> {
  const lock = () =>
    queryOptional(tx, 'select from audit_chains where workspace_id = $1 for no key update', [workspaceId]);
  if (await lock()) return;
  await tx.query('insert into audit_chains (workspace_id) values ($1) on conflict do nothing', [workspaceId]);
  await lock();
}

// One entry after the other, because each hash is made of the one before. Rows that a rolled back part of the transaction has written are not there.
const chainSql = `
  with recursive entries as materialized (
    select a.workspace_id, a.id, a.at, a.actor, a.actor_id, a.action, a.subject_id, k.key, ${textHash('a', 'k.key')} as text_hash,
           row_number() over (order by a.id) as nth
      from unnest($2::bigint[], $3::bytea[]) as k (id, key)
      join audit_log a on a.workspace_id = $1 and a.id = k.id and a.number is null
  ),
  linked as (
    select 0::bigint as nth, null::bigint as id, greatest(c.number, ${historyBase}) as number, null::bytea as previous, c.hash
      from audit_chains c
     where c.workspace_id = $1
     union all
    select e.nth, e.id, l.number + 1, l.hash,
           ${auditHash({ previous: 'l.hash', number: 'l.number + 1', takenInAt: '$4::timestamptz', textHash: 'e.text_hash', entry: 'e' })}
      from linked l
      join entries e on e.nth = l.nth + 1
  ),
  written as (
    update audit_log a
       set number = l.number, previous = l.previous, hash = l.hash, text_key = e.key, text_hash = e.text_hash, taken_in_at = $4::timestamptz
      from linked l
      join entries e using (id)
     where a.workspace_id = $1
       and a.id = l.id
    returning 1
  )
  update audit_chains c
     set number = l.number, hash = l.hash
    from (select number, hash, nth from linked order by nth desc limit 1) l
   where c.workspace_id = $1
     and l.nth > 0
     and exists (select from written)`;

/**
 * Takes in the next entries that were written without the chain: before the upgrade, or by nodes of the release before. Returns how many, and the id of the
 * last one; null: no more.
 */
export async function takeInEntries(
  tx: Queryable,
  workspaceId: number,
  most: number,
): Promise<{ rows: number; last: string } | null> {
  await lockChain(tx, workspaceId);
  const rows = await tx.query<{ id: number; now: Date }>(
    `select id, now() as now
       from audit_log
      where workspace_id = $1
        and number is null
      order by id
      limit $2
        for no key update skip locked`,
    [workspaceId, most],
  );
  const [first] = rows;
  if (!first) return null;
  const ids = rows.map(({ id }) => id);
  await chain(tx, workspaceId, ids, first.now);
  return { rows: ids.length, last: String(ids.at(-1)) };
}

/** So few that a batch takes milliseconds: writers of entries wait for it. */
const rowsAtOnce = 200;

/** Takes in entries of one workspace that nodes of the release before have written. Returns how many. */
export async function takeInLate(database: Database): Promise<number> {
  const next = await queryOptional<{ workspaceId: number }>(
    database,
    'select workspace_id as "workspaceId" from audit_log where number is null order by workspace_id limit 1',
  );
  if (!next) return 0;
  return database.transaction(async (tx) => (await takeInEntries(tx, next.workspaceId, rowsAtOnce))?.rows ?? 0);
}

/**
 * Gives entries new keys after names in them were removed, and returns the new hashes of their texts, for an entry that notes them. Entries without a number
 * are left out: the chain takes them in as they are now.
 */
export async function rekey(tx: Queryable, workspaceId: number, ids: readonly number[]): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `update audit_log a
        set text_key = k.key
       from unnest($2::bigint[], $3::bytea[]) as k (id, key)
      where a.workspace_id = $1
        and a.id = k.id
        and a.number is not null
    returning a.number || ':' || encode(${textHash('a', 'k.key')}, 'hex') as text`,
    [workspaceId, ids, newKeys(ids.length)],
  );
  return rows.map(({ text }) => text);
}

/** A pass over a year of entries takes a few rounds, and a round takes milliseconds. */
const rowsAhead = 10_000;

/**
 * Moves the beginning of the chain behind the next entries that are older than a moment: they can be removed once an entry says so. Returns what that entry
 * has to say; null: no more.
 */
export async function moveCheckpoint(
  tx: Queryable,
  workspaceId: number,
  before: string,
): Promise<{ upTo: number; hash: string; before: string } | null> {
  const next = await queryOptional<{ upTo: number; hash: string; before: string }>(tx, checkpointSql, [
    workspaceId,
    before,
    rowsAhead,
  ]);
  if (!next) return null;
  const { upTo, hash } = next;
  beforeCommit(tx, async () => {
    await lockChain(tx, workspaceId);
    await tx.query(
      `update audit_chains set checkpoint_number = $2, checkpoint_hash = decode($3, 'hex') where workspace_id = $1`,
      [workspaceId, upTo, hash],
    );
  });
  return next;
}

// Its own earlier entries alone are no reason to move it.
const checkpointSql = `
  with ahead as materialized (
    select a.number, a.at, a.hash, a.action
      from audit_log a
      join audit_chains c using (workspace_id)
     where a.workspace_id = $1
       and a.number > c.checkpoint_number
     order by a.number
     limit $3::int
  ),
  staying as (select coalesce(min(number), 9223372036854775807) as number from ahead where at >= $2::timestamptz)
  select number as "upTo", encode(hash, 'hex') as hash,
         to_char($2::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as before
    from ahead
   where number < (select number from staying)
     and exists (select from ahead where number < (select number from staying) and action <> 'audit.entries_removed')
   order by number desc
   limit 1`;

/** The end of a chain, to be kept elsewhere. */
export interface AuditHead {
  workspaceId: number;
  number: number;
  head: string;
}

/** The end of each chain, those with the newest entries first. */
export function readAuditHeads(on: Queryable, limit: number | null = null): Promise<AuditHead[]> {
  return readNewest<AuditHead>(on, limit, (id) => on.query(headSql, [id]));
}

const headSql = `
  select c.workspace_id as "workspaceId", c.number, encode(c.hash, 'hex') as head,
         coalesce((extract(epoch from a.at) * 1000000)::bigint, 0) as at
    from audit_chains c
    left join audit_log a on a.workspace_id = c.workspace_id and a.number = c.number
   where c.workspace_id = $1
     and c.number > 0`;
