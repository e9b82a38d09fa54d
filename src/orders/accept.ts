import type { WorkspaceGrant } from '../access/grants.ts';
import type { OrderRequest, OrderRequestStatus } from '../contract/order.ts';
import { Batcher } from '../database/batcher.ts';
import type { Database, Queryable } from '../database/database.ts';
import { tellSteps } from '../database/steps.ts';
import { Failure, invalid, unavailable } from '../errors.ts';
import { mismatch } from '../values/differences.ts';
import { needsChecks, orderFaults } from './checks.ts';
import { type Lane, Lanes } from './lanes.ts';
import { makeRequestId } from './request-id.ts';
import { type StatusRow, statusColumns, statusRecord } from './status.ts';
import type { AcceptStep } from './steps.ts';
import { type Entry, type Stored, storeOrders } from './store.ts';

export interface Submission {
  tokenId: number;
  workspace: WorkspaceGrant;
  customerRequestId: string | null;
  idempotencyKey: string | null;
  order: OrderRequest;
}

export interface Accepted {
  record: OrderRequestStatus;
  replayed: boolean;
}

const maxBatchBytes = 8 * 1024 * 1024;

/** A submission on its way into the database. */
type Arrival = Submission & Entry;

/** Accepts orders. Those that wait at the same time are stored, with their wake-up, in one commit. */
export class Acceptance {
  readonly #database: Database;
  readonly #lanes: Lanes;
  readonly #batchers: Record<Lane, Batcher<Arrival, Accepted | Failure>>;

  constructor(database: Database, steps: readonly AcceptStep[] = []) {
    this.#database = database;
    this.#lanes = new Lanes(steps);
    const createBatcher = (lane: Lane) =>
      new Batcher<Arrival, Accepted | Failure>({
        run: (batch) => this.#acceptAll(steps, batch, lane),
        maxItems: 200,
        concurrency: 1,
        maxWaiting: 5_000,
        weigh: (entry) => entry.row.length,
        maxWeight: maxBatchBytes,
        maxWaitingWeight: 8 * maxBatchBytes,
        maxWaitMs: 1_500,
      });
    this.#batchers = {
      free: createBatcher('free'),
      statement: createBatcher('statement'),
      transaction: createBatcher('transaction'),
    };
  }

  async accept(submission: Submission): Promise<Accepted> {
    if (needsChecks(submission.workspace, submission.order)) await this.#refuse(submission);
    const requestId = makeRequestId();
    const { workspaceId, memberId: senderId } = submission.workspace;
    const row = rowText(submission, requestId);
    const batcher = this.#batchers[this.#lanes.of(submission.workspace)];
    const answer = await batcher.add({ ...submission, workspaceId, senderId, requestId, row });
    if (answer instanceof Failure) throw answer;
    return answer;
  }

  async #acceptAll(steps: readonly AcceptStep[], batch: Arrival[], lane: Lane): Promise<(Accepted | Failure)[]> {
    const answers = await acceptAll(this.#database, steps, batch, lane);
    const refused = batch.filter((_, nth) => answers[nth] instanceof Failure);
    this.#lanes.note(refused.map(({ workspace }) => workspace));
    return answers;
  }

  /** A request that is repeated later gets the answer of the first time, though its date may have passed. */
  async #refuse(submission: Submission): Promise<void> {
    const faults = await orderFaults(this.#database, submission.workspace, submission.order);
    if (faults.length > 0 && !(await this.#isRepeated(submission))) throw invalid(faults);
  }

  /** Whether the request's idempotency key was accepted before: then it gets the same answer as then. */
  async #isRepeated({ workspace, idempotencyKey }: Submission): Promise<boolean> {
    const found = await this.#database.query(
      'select from order_requests where workspace_id = $1 and idempotency_key = $2',
      [workspace.workspaceId, idempotencyKey],
    );
    return found.length > 0;
  }
}

function rowText({ tokenId, workspace, customerRequestId, idempotencyKey, order }: Submission, requestId: string) {
  return JSON.stringify({
    workspace_id: workspace.workspaceId,
    request_id: requestId,
    token_id: tokenId,
    sender_id: workspace.memberId,
    sender_name: workspace.senderName,
    customer_request_id: customerRequestId,
    idempotency_key: idempotencyKey,
    currency: order.currency,
    language: order.language ?? workspace.language,
    body: order,
    may_have_left: workspace.acceptsLeavers,
  });
}

async function acceptAll(
  database: Database,
  steps: readonly AcceptStep[],
  batch: Arrival[],
  lane: Lane,
): Promise<(Accepted | Failure)[]> {
  const stored = await storeOrders(database, steps, batch, lane);
  const others = batch.filter(({ requestId }) => stored.get(requestId) !== null);
  const answers = others.length > 0 ? await answerOthers(database, others, stored) : new Map();
  const replayed = [...answers.values()].filter((answer) => !(answer instanceof Failure)).length;
  tellSteps(steps, { submitted: batch.length, accepted: batch.length - others.length, replayed });
  return batch.map((entry) => answers.get(entry) ?? { record: statusRecord(pendingRow(entry)), replayed: false });
}

/**
 * Answers the requests that were not stored. A request whose idempotency key was accepted before gets the same answer as
 * then, also if a recipient has left since. Never throws: the other orders of the batch are committed, and their callers must
 * get their 201.
 */
async function answerOthers(
  database: Queryable,
  others: Arrival[],
  stored: Stored,
): Promise<Map<Arrival, Accepted | Failure>> {
  const keyed = others.filter(({ idempotencyKey }) => idempotencyKey !== null);
  const originals =
    keyed.length > 0 ? await readOriginals(database, keyed).catch(unavailable) : new Map<string, Original>();
  const answerOf = (entry: Arrival) => {
    if (originals instanceof Failure) return originals;
    const original = originals.get(originalKey(entry.workspaceId, entry.idempotencyKey));
    return original ? replay(original, entry) : (refusalOf(entry, others, stored) ?? unavailable());
  };
  return new Map(others.map((entry) => [entry, answerOf(entry)]));
}

/**
 * Why an order was refused. One that came together with another of the same key and body was not asked about: it gets the refusal
 * of that one.
 */
function refusalOf(entry: Arrival, others: readonly Arrival[], stored: Stored): Failure | null {
  const own = stored.get(entry.requestId);
  if (own || entry.idempotencyKey === null) return own ?? null;
  const twin = others.find(
    (other) =>
      other.workspaceId === entry.workspaceId &&
      other.idempotencyKey === entry.idempotencyKey &&
      stored.get(other.requestId) &&
      mismatch(other.order, entry.order) === null,
  );
  return twin ? (stored.get(twin.requestId) ?? null) : null;
}

function pendingRow({ requestId, customerRequestId }: Arrival): StatusRow {
  return { requestId, customerRequestId, orderId: null, finished: false };
}

interface Original extends StatusRow {
  workspaceId: number;
  idempotencyKey: string;
  body: OrderRequest;
}

const originalsSql = `
  select r.workspace_id        as "workspaceId",
         r.idempotency_key     as "idempotencyKey",
         r.body,
         ${statusColumns}
    from unnest($1::bigint[], $2::text[]) as asked (workspace_id, idempotency_key)
    join order_requests r using (workspace_id, idempotency_key)
    left join orders o using (workspace_id, request_id)
   where r.idempotency_key is not null`;

async function readOriginals(database: Queryable, entries: Arrival[]): Promise<Map<string, Original>> {
  const rows = await database.query<Original>(originalsSql, [
    entries.map(({ workspaceId }) => workspaceId),
    entries.map(({ idempotencyKey }) => idempotencyKey),
  ]);
  return new Map(rows.map((row) => [originalKey(row.workspaceId, row.idempotencyKey), row]));
}

function originalKey(workspaceId: number, idempotencyKey: string | null): string {
  return `${workspaceId}:${idempotencyKey}`;
}

function replay(original: Original, { order }: Arrival): Accepted | Failure {
  const difference = mismatch(original.body, order);
  return difference === null ? { record: statusRecord(original), replayed: true } : new Failure('mismatch', difference);
}
