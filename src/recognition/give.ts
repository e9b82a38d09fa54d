import type { WorkspaceGrant } from '../access/grants.ts';
import type { Shoutout, ShoutoutRequest } from '../contract/shoutout.ts';
import { Batcher } from '../database/batcher.ts';
import type { Database, Queryable } from '../database/database.ts';
import { dayChange, moveDays } from '../directory/days.ts';
import { findPerson, type Person, takeIn } from '../directory/naming.ts';
import { savePeople } from '../directory/recipients.ts';
import { Failure, invalid } from '../errors.ts';
import { mismatch } from '../values/differences.ts';
import { inWorkspace } from '../workspaces/lock.ts';
import { type Checked, faultsOf } from './check.ts';
import { type ReadAhead, readSurroundings } from './people.ts';
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
  readonly #readAhead: ReadAhead;
  readonly #batchers = new Map<number, Batcher<Giving, Given | Failure>>();

  constructor(database: Database, readAhead: ReadAhead) {
    this.#database = database;
    this.#readAhead = readAhead;
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
      run: (batch) =>
        inWorkspace(this.#database, workspaceId, (tx) => giveAll(tx, workspaceId, batch, this.#readAhead)),
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

/** A shoutout that can be recorded. Its people may be new, and have no id before they are saved. */
interface Fresh {
  giving: Giving;
  /** The sender that was named; null where it is the member behind the token, `self`. */
  sender: Person | null;
  self: number;
  receiver: Person;
}

async function giveAll(
  tx: Queryable,
  workspaceId: number,
  batch: Giving[],
  readAhead: ReadAhead,
): Promise<(Given | Failure)[]> {
  const originals = await readOriginals(tx, workspaceId, batch);
  const unseen = batch.filter((giving) => !originals.has(keyOf(giving)));
  const { fresh, refused } = await sort(tx, workspaceId, unseen, readAhead);
  const numbers = await record(tx, workspaceId, fresh);
  for (const [nth, { giving }] of fresh.entries())
    originals.set(keyOf(giving), { number: numbers[nth] as number, body: giving.shoutout });

  const outcomes = batch.map((giving) => refused.get(giving) ?? numberOf(originals, giving));
  const records = await readShoutouts(
    tx,
    workspaceId,
    batch.flatMap(({ workspace }, nth) => {
      const number = outcomes[nth];
      return typeof number === 'number' ? [{ number, self: workspace.memberId }] : [];
    }),
  );
  const recorded = new Set(fresh.map(({ giving }) => giving));
  return outcomes.map((outcome, nth) =>
    typeof outcome === 'number'
      ? { record: records.shift() as Shoutout, replayed: !recorded.has(batch[nth] as Giving) }
      : outcome,
  );
}

/**
 * Tells those that can be recorded from those at fault. Each is checked in its turn, with what the ones before it have made
 * known, so that the outcome is that of the same shoutouts given one by one. A key that was taken before in the batch is
 * in neither group.
 */
async function sort(tx: Queryable, workspaceId: number, unseen: readonly Giving[], readAhead: ReadAhead) {
  const fresh: Fresh[] = [];
  const refused = new Map<Giving, Failure>();
  if (unseen.length === 0) return { fresh, refused };
  const { known, checked } = await readSurroundings(tx, workspaceId, unseen, readAhead);
  const taken = new Set<string | Giving>();
  for (const [nth, giving] of unseen.entries()) {
    if (taken.has(keyOf(giving))) continue;
    const one = checked[nth] as Checked;
    const faults = faultsOf(known, one);
    if (faults.length > 0) {
      refused.set(giving, invalid(faults));
    } else {
      taken.add(keyOf(giving));
      const sender = one.sender ? (findPerson(known, one.sender) ?? null) : null;
      const [receiver] = takeIn(known, [one.recipient]) as [Person];
      fresh.push({ giving, sender, self: one.self, receiver });
    }
  }
  return { fresh, refused };
}

/** Without a key, each is its own. */
function keyOf(giving: Giving): string | Giving {
  return giving.idempotencyKey ?? giving;
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
async function record(tx: Queryable, workspaceId: number, fresh: readonly Fresh[]): Promise<number[]> {
  if (fresh.length === 0) return [];
  await savePeople(
    tx,
    workspaceId,
    fresh.flatMap(({ sender, receiver }) => (sender ? [sender, receiver] : [receiver])),
  );
  const rows = fresh.map(({ giving: { tokenId, workspace, idempotencyKey, shoutout }, sender, self, receiver }) => ({
    token_id: tokenId,
    idempotency_key: idempotencyKey,
    sender_id: sender ? sender.id : self,
    receiver_id: receiver.id,
    status: workspace.asksForApproval ? 'PENDING' : 'APPROVED',
    body: shoutout,
  }));
  const recorded = await tx.query<{ number: number }>(recordSql, [workspaceId, JSON.stringify(rows)]);
  return recorded.map(({ number }) => number);
}

const recordSql = `
  with given as (
    select *
      from rows from (jsonb_to_recordset($2::jsonb) as (
             body jsonb, token_id bigint, idempotency_key text, sender_id bigint, receiver_id bigint, status text))
           with ordinality as given (body, token_id, idempotency_key, sender_id, receiver_id, status, nth)
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
           counted c, members before
     where before.workspace_id = $1::bigint
       and before.id = r.receiver_id
       and m.workspace_id = before.workspace_id
       and m.id = before.id
    returning ${dayChange('before', 'm')}
  ),
  days as (${moveDays('recognized')})
  insert into shoutouts (workspace_id, number, token_id, idempotency_key, body)
  select $1::bigint, c.before + g.nth, g.token_id, g.idempotency_key, g.body
    from given g, counted c
   order by g.nth
  returning number`;
