import { noRecord, type SealedRecord, seal, sealAs, sealHash, textAt } from '../../company/workspaces/seals.ts';
import { entryCount } from '../../giving/budgets/entry-numbers.ts';
import { allWaiting } from '../../giving/orders/queue.ts';
import { accounts } from '../../ground/contract/ledger-entry.ts';
import { type Queryable, queryOne, queryOptional } from '../../ground/database/database.ts';

/** A moment at which the books were verified. */
export interface Checkpoint {
  at: string;
  /** When the latest full verification began. */
  fullAt: string;
  entries: number;
  /** As JSON text: amounts keep all their digits. */
  content: string;
}

const { key, plain, quoted, moment } = sealAs;

/** Sealed as what decides about money is: a change of a checkpoint is found. */
export const checkpointRecord: SealedRecord = {
  name: 'checkpoint',
  called: () => `'The checkpoint'`,
  key: `'latest'`,
  at: (key) => `${key} = 'latest'`,
  since: 2,
  tables: [
    {
      table: 'ledger_checkpoints',
      alias: 'k',
      columns: {
        workspace_id: key,
        at: moment,
        full_at: moment,
        seals: plain,
        entries: plain,
        content: quoted,
      },
    },
  ],
};

/**
 * Reads the state of the books, in the snapshot of `tx`, as JSON text: the latest seal (0 before the first) and its hash; how many entries there are; of
 * each budget, the number and the hash of its latest entry, and its balances; kind, key and hash of the records that can still be paid out; and
 * what is reserved for orders that are not fulfilled yet. `records`: the kinds that can be sealed.
 */
export async function readContent(
  tx: Queryable,
  workspaceId: number,
  records: readonly SealedRecord[],
): Promise<string> {
  const { content } = await queryOne<{ content: string }>(tx, contentSql(records), [workspaceId], 'once');
  return content;
}

/** The keys of a kind that can still be paid out, as a statement. */
export function openKeys({ name, key, open = [], tables, where = 'true', joins = '' }: SealedRecord): string[] {
  const { table, alias } = tables[0];
  return open.map(
    (condition) => `
    select '${name}' as record, (${key}) as key
      from ${table} ${alias} ${joins}
     where ${alias}.workspace_id = $1 and ${where} and ${condition}`,
  );
}

const contentSql = (records: readonly SealedRecord[]) => {
  const hashes = records
    .filter(({ open }) => open)
    .map(
      (record) => `
    select record, key, ${sealHash(textAt(record, 'open.key'))} as hash
      from (${openKeys(record).join(' union ')}) open`,
    );
  return `
  select json_build_object(
           'seals', coalesce(s.number, 0),
           'sealHash', encode(coalesce(s.hash, ${noRecord}), 'hex'),
           'entries', (select coalesce(sum(${entryCount}), 0) from budgets b where b.workspace_id = $1),
           'books', (select coalesce(json_agg(json_build_object('budgetId', id, 'number', latest, 'hash', encode(head, 'hex'),
                              ${accounts.map((account) => `'${account}', ${account}`).join(', ')}) order by id), '[]')
                       from budgets
                      where workspace_id = $1),
           'records', (select coalesce(json_agg(json_build_array(record, key, encode(hash, 'hex')) order by record, key), '[]')
                         from (${hashes.join(`
     union all`)}) hashed),
           'reserved', (select coalesce(json_agg(json_build_object('requestId', b.request_id, 'amount', b.amount) order by b.request_id), '[]')
                          from ${allWaiting} p
                          join order_budgets b on b.workspace_id = p.workspace_id and b.request_id = p.request_id
                         where p.workspace_id = $1))::text as content
    from (values (1)) as one
    left join (select number, hash from seals where workspace_id = $1 order by number desc limit 1) s on true`;
};

/** The latest checkpoint of a workspace. */
export function readCheckpoint(on: Queryable, workspaceId: number): Promise<Checkpoint | null> {
  return queryOptional<Checkpoint>(
    on,
    `select ${isoTime('at')} as at, ${isoTime('full_at')} as "fullAt", entries, content::text as content
       from ledger_checkpoints
      where workspace_id = $1`,
    [workspaceId],
  );
}

export function isoTime(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Stores and seals a checkpoint in place of the one before. The caller holds the workspace's lock. `fullAt`: null keeps the time of the one before. */
export async function storeCheckpoint(
  tx: Queryable,
  workspaceId: number,
  { at, fullAt, content }: { at: string; fullAt: string | null; content: string },
): Promise<void> {
  await tx.query(
    `insert into ledger_checkpoints (workspace_id, at, full_at, seals, entries, content)
     select $1, $2::timestamptz, coalesce($3::timestamptz, $2::timestamptz), (content ->> 'seals')::bigint, (content ->> 'entries')::bigint, content
       from (select $4::jsonb as content) one
         on conflict (workspace_id) do update
        set at = excluded.at,
            full_at = case when $3::timestamptz is null then ledger_checkpoints.full_at else excluded.full_at end,
            seals = excluded.seals,
            entries = excluded.entries,
            content = excluded.content`,
    [workspaceId, at, fullAt, content],
  );
  await seal(tx, workspaceId, { record: checkpointRecord, keys: ['latest'] });
}
