import { type Database, type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';
import { auditHash, textHash } from './audit-chain.ts';

export interface AuditFault {
  workspaceId: number;
  /** The entry with the problem, if it concerns one. */
  number: number | null;
  problem: string;
  /** A hash that was kept, and that no entry has. */
  head?: string;
}

export interface AuditComparison {
  workspaceId: number;
  /** How many entries were compared. */
  entries: number;
  /** Entries with a number up to this one were removed by age, except those that are always kept; 0: none. */
  removedUpTo: number;
  /** Entries that the chain has not taken in yet. They prove nothing. */
  unchained: number;
  /** Entries that were written without the chain and taken in later: by nodes of the release before, or with SQL. */
  takenIn: number;
  lastTakenInAt: Date | null;
  head: { number: number; hash: string } | null;
  /** Of many faults, the first ones. */
  faults: AuditFault[];
}

/** Of one kind. */
const mostFaults = 20;

/**
 * Compares the audit log of a workspace with its chain: every entry has the hash of its fields and of the entry before, none is missing, and names and
 * details are those that were written, or those that an erasure has left. `known` are hashes that were kept elsewhere. One snapshot.
 */
export function verifyAudit(
  database: Database,
  workspaceId: number,
  known: readonly string[] = [],
): Promise<AuditComparison> {
  return database.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    return verifyIn(tx, workspaceId, known);
  });
}

async function verifyIn(tx: Queryable, workspaceId: number, known: readonly string[]): Promise<AuditComparison> {
  const found: AuditFault[] = [];
  for (const check of [entriesSql, textsSql, endsSql])
    found.push(...(await tx.query<AuditFault>(check, [workspaceId, mostFaults])));
  const counts = await queryOne<Omit<AuditComparison, 'workspaceId' | 'head' | 'faults'>>(tx, countsSql, [workspaceId]);
  const head = await queryOptional<{ number: number; hash: string }>(
    tx,
    `select number, encode(hash, 'hex') as hash from audit_chains where workspace_id = $1 and number > 0`,
    [workspaceId],
  );
  found.push(...(await missingHeads(tx, workspaceId, known)));
  return { workspaceId, ...counts, head, faults: found };
}

const chainOf = `(select coalesce(max(number), 0) as number, max(hash) as hash, coalesce(max(checkpoint_number), 0) as checkpoint_number,
                         coalesce(max(encode(checkpoint_hash, 'hex')), repeat('0', 64)) as checkpoint_hash
                    from (select number, encode(hash, 'hex') as hash, checkpoint_number, checkpoint_hash from audit_chains where workspace_id = $1) one)`;

// Entries before the checkpoint that are kept are compared with the hash before them that they have themselves.
const entriesSql = `
  with numbered as (
    select a.*, lag(a.number) over in_sequence as number_before, lag(encode(a.hash, 'hex')) over in_sequence as hash_before
      from audit_log a
     where a.workspace_id = $1
       and a.number is not null
    window in_sequence as (order by a.number)
  )
  select a.workspace_id as "workspaceId", a.number, p.problem
    from numbered a
   cross join ${chainOf} c
   cross join lateral (select greatest(coalesce(a.number_before, 0), c.checkpoint_number) as number,
                              case when coalesce(a.number_before, 0) > c.checkpoint_number then a.hash_before else c.checkpoint_hash end as hash) before
   cross join lateral (
     select case when a.hash is distinct from ${auditHash({ previous: 'a.previous', number: 'a.number', takenInAt: 'a.taken_in_at', textHash: 'a.text_hash', entry: 'a' })}
                 then 'The fields of the entry do not have its hash: it was changed.'
                 when a.number <= c.checkpoint_number then null
                 when a.number <> before.number + 1
                  and not exists (select from histories h where h.base + 1 = a.number and h.base >= before.number)
                 then format('%s entries before it are missing.', a.number - 1 - greatest(before.number, (select max(base) from histories h where h.base < a.number)))
                 when encode(a.previous, 'hex') is distinct from before.hash
                 then 'It does not continue the entry before it: one of the two was replaced.'
            end as problem) p
   where p.problem is not null
   order by a.number
   limit $2`;

// What an erasure has left is compared with the hashes that its entry notes.
const textsSql = `
  with left_over as (
    select distinct on (split_part(one.text, ':', 1)) split_part(one.text, ':', 1)::bigint as number, split_part(one.text, ':', 2) as hash
      from audit_log r
     cross join regexp_split_to_table(r.detail ->> 'hashes', ' ') as one (text)
     where r.workspace_id = $1
       and r.action = 'audit.names_removed'
       and r.number is not null
       and one.text ~ '^[0-9]{1,18}:[0-9a-f]{64}$'
     order by split_part(one.text, ':', 1), r.number desc
  )
  select a.workspace_id as "workspaceId", a.number, 'Its names or details were changed.' as problem
    from audit_log a
    left join left_over l on l.number = a.number
   where a.workspace_id = $1
     and a.number is not null
     and encode(${textHash('a', 'a.text_key')}, 'hex') is distinct from coalesce(l.hash, encode(a.text_hash, 'hex'))
   order by a.number
   limit $2`;

const endsSql = `
  select $1::bigint as "workspaceId", null::bigint as number, p.problem
    from ${chainOf} c
    left join lateral (select number, encode(hash, 'hex') as hash from audit_log where workspace_id = $1 and number is not null order by number desc limit 1) last on true
   cross join lateral (values
           (case when c.number is distinct from coalesce(last.number, 0) or c.number > 0 and c.hash is distinct from last.hash
                 then format('The chain ends with entry %s, and the last entry is %s: entries were removed or added.', c.number, coalesce(last.number, 0)) end),
           (case when c.checkpoint_number > 0
                  and not exists (select
                                    from audit_log r
                                   where r.workspace_id = $1
                                     and r.action = 'audit.entries_removed'
                                     and r.number > c.checkpoint_number
                                     and r.detail ->> 'upTo' = c.checkpoint_number::text
                                     and r.detail ->> 'hash' = c.checkpoint_hash)
                 then format('Entries up to %s are missing, and no entry says that they were removed by age.', c.checkpoint_number) end)
         ) as p (problem)
   where p.problem is not null
   limit $2`;

const countsSql = `
  select count(*) filter (where a.number is not null) as entries, count(a.id) filter (where a.number is null) as unchained,
         count(a.taken_in_at) as "takenIn", max(a.taken_in_at) as "lastTakenInAt",
         (select coalesce(max(checkpoint_number), 0) from audit_chains where workspace_id = $1) as "removedUpTo"
    from (values ($1::bigint)) as asked
    left join audit_log a on a.workspace_id = $1`;

async function missingHeads(tx: Queryable, workspaceId: number, known: readonly string[]): Promise<AuditFault[]> {
  if (known.length === 0) return [];
  const missing = await tx.query<{ head: string }>(
    `select kept.head
       from unnest($2::text[]) as kept (head)
      where not exists (select from audit_log a where a.workspace_id = $1 and encode(a.hash, 'hex') = kept.head)
        and not exists (select from audit_chains c where c.workspace_id = $1 and encode(c.checkpoint_hash, 'hex') = kept.head)`,
    [workspaceId, known],
  );
  return missing.map(({ head }) => ({
    workspaceId,
    number: null,
    head,
    problem: `No entry has the head ${head}: entries were rewritten since it was kept, or it is of an entry that was removed by age.`,
  }));
}
