import type { WorkspaceGrant } from '../access/grants.ts';
import { mismatch } from '../contract/idempotency.ts';
import type { Shoutout, ShoutoutRequest } from '../contract/shoutout.ts';
import { Batcher } from '../database/batcher.ts';
import type { Database, Queryable } from '../database/database.ts';
import { inWorkspace } from '../directory/lock.ts';
import { addUnknownRecipients } from '../directory/recipients.ts';
import { Failure } from '../errors.ts';
import { type Checked, checkShoutouts } from './check.ts';
import { readShoutouts } from './read.ts';

export interface Giving {
  tokenId: number;
  workspace: WorkspaceGrant;
  idempotencyKey: string | null;
  shoutout: ShoutoutRequest;
}

export interface Given {
  record: Shoutout;
  replayed: boolean;
}

/** Gives shoutouts. Those of a workspace that wait at the same time are recorded in one transaction. */
export class Shoutouts {
  readonly #database: Database;
  readonly #batchers = new Map<number, Batcher<Giving, Given | Failure>>();

  constructor(database: Database) {
    this.#database = database;
  }

  async give(giving: Giving): Promise<Given> {
    const outcome = await this.#batcherOf(giving.workspace.workspaceId).add(giving);
    if (outcome instanceof Failure) throw outcome;
    return outcome;
  }

  #batcherOf(workspaceId: number): Batcher<Giving, Given | Failure> {
    const known = this.#batchers.get(workspaceId);
    if (known) return known;
    const batcher = new Batcher<Giving, Given | Failure>({
      run: (batch) => inWorkspace(this.#database, workspaceId, (tx) => giveAll(tx, workspaceId, batch)),
      maxItems: 200,
      concurrency: 1,
      maxWaiting: 5_000,
      maxWaitMs: 1_500,
    });
    this.#batchers.set(workspaceId, batcher);
    return batcher;
  }
}

/** A shoutout that was recorded, to compare others of the same key with. */
interface Original {
  number: number;
  body: unknown;
}

async function giveAll(tx: Queryable, workspaceId: number, batch: Giving[]): Promise<(Given | Failure)[]> {
  const originals = await readOriginals(tx, workspaceId, batch);
  const unseen = batch.filter((giving) => !originals.has(keyOf(giving)));
  const checked = await checkShoutouts(tx, unseen);
  const checks = new Map(unseen.map((giving, nth) => [giving, checked[nth] as Checked]));
  const fresh = firstOfEachKey(unseen.filter((giving) => !checks.get(giving)?.fault));
  const numbers = await record(
    tx,
    workspaceId,
    fresh.map((giving) => ({ ...giving, senderId: checks.get(giving)?.senderId as number })),
  );
  for (const [nth, giving] of fresh.entries())
    originals.set(keyOf(giving), { number: numbers[nth] as number, body: giving.shoutout });

  const outcomes = batch.map((giving) => checks.get(giving)?.fault ?? numberOf(originals, giving));
  const records = await readShoutouts(
    tx,
    workspaceId,
    batch.flatMap(({ workspace }, nth) => {
      const number = outcomes[nth];
      return typeof number === 'number' ? [{ number, self: workspace.memberId }] : [];
    }),
  );
  return outcomes.map((outcome, nth) =>
    typeof outcome === 'number'
      ? { record: records.shift() as Shoutout, replayed: !fresh.includes(batch[nth] as Giving) }
      : outcome,
  );
}

/** Without a key, each is its own. */
function keyOf(giving: Giving): string | Giving {
  return giving.idempotencyKey ?? giving;
}

function firstOfEachKey(givings: Giving[]): Giving[] {
  return [...Map.groupBy(givings, keyOf).values()].map(([first]) => first as Giving);
}

function numberOf(originals: ReadonlyMap<string | Giving, Original>, giving: Giving): number | Failure {
  const original = originals.get(keyOf(giving)) as Original;
  const difference = mismatch(original.body, giving.shoutout);
  return difference === null ? original.number : new Failure('mismatch', difference);
}

async function readOriginals(
  tx: Queryable,
  workspaceId: number,
  batch: readonly Giving[],
): Promise<Map<string | Giving, Original>> {
  const keys = batch.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  if (keys.length === 0) return new Map();
  const rows = await tx.query<Original & { key: string }>(
    `select idempotency_key as key, number, body
       from shoutouts
      where workspace_id = $1
        and idempotency_key = any($2::text[])`,
    [workspaceId, keys],
  );
  return new Map(rows.map(({ key, number, body }) => [key, { number, body }]));
}

/** Returns the numbers that they have got. */
async function record(
  tx: Queryable,
  workspaceId: number,
  givings: readonly (Giving & { senderId: number })[],
): Promise<number[]> {
  if (givings.length === 0) return [];
  const rows = JSON.stringify(
    givings.map(({ tokenId, workspace, idempotencyKey, shoutout, senderId }) => ({
      token_id: tokenId,
      idempotency_key: idempotencyKey,
      sender_id: senderId,
      status: workspace.asksForApproval ? 'PENDING' : 'APPROVED',
      body: shoutout,
    })),
  );
  await addUnknownRecipients(tx, { sql: recipientsSql, values: [workspaceId, rows] });
  const recorded = await tx.query<{ number: number }>(recordSql, [workspaceId, rows]);
  return recorded.map(({ number }) => number);
}

const givenSql = `
  select body, token_id, idempotency_key, sender_id, status, nth
    from rows from (jsonb_to_recordset($2::jsonb) as (
           body jsonb, token_id bigint, idempotency_key text, sender_id bigint, status text))
         with ordinality as given (body, token_id, idempotency_key, sender_id, status, nth)`;

const recipientsSql = `
  select $1::bigint as workspace_id,
         body #>> '{recipient,email}'                   as email,
         body #>> '{recipient,employeeNumber}'          as employee_number,
         coalesce(body #>> '{recipient,firstName}', '') as first_name,
         coalesce(body #>> '{recipient,lastName}', '')  as last_name,
         nth                                            as sent
    from (${givenSql}) given`;

const recordSql = `
  with given as (
    select g.*, coalesce(by_email.merged_into, by_email.id, by_number.merged_into, by_number.id) as receiver_id
      from (${givenSql}) g
      left join members by_email
             on by_email.workspace_id = $1::bigint
            and by_email.email_key = lower(g.body #>> '{recipient,email}')
      left join members by_number
             on by_number.workspace_id = $1::bigint
            and by_number.employee_number = g.body #>> '{recipient,employeeNumber}'
            and g.body #>> '{recipient,email}' is null
  ),
  counted as (
    update activity_counters c
       set total  = c.total + (select count(*) from given),
           latest = greatest(c.latest, clock_timestamp())
      from workspaces w
     where c.workspace_id = $1::bigint
       and w.id = c.workspace_id
    returning c.total - (select count(*) from given) as before, c.latest, w.default_reason_id
  ),
  recorded as (
    insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private,
                            description, created_on)
    select $1::bigint, c.before + g.nth, 'SHOUTOUT', g.status, g.sender_id, g.receiver_id,
           coalesce((g.body ->> 'reasonId')::bigint, c.default_reason_id), (g.body ->> 'isPrivate')::boolean, g.body ->> 'message', c.latest
      from given g, counted c
  ),
  recognized as (
    update members m
       set recognition_count      = m.recognition_count + r.shoutouts,
           last_recognized_on     = (c.latest at time zone 'utc')::date,
           last_recognized_by     = 'SHOUTOUT',
           last_recognized_number = c.before + r.last_nth
      from (select receiver_id, count(*) as shoutouts, max(nth) as last_nth
              from given where status = 'APPROVED' group by receiver_id) r,
           counted c
     where m.workspace_id = $1::bigint
       and m.id = r.receiver_id
  )
  insert into shoutouts (workspace_id, number, token_id, idempotency_key, body)
  select $1::bigint, c.before + g.nth, g.token_id, g.idempotency_key, g.body
    from given g, counted c
   order by g.nth
  returning number`;
