import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { mismatchWith } from '../../company/workspaces/erased-bodies.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { OrderRequest, OrderRequestStatus } from '../../ground/contract/order.ts';
import { Batcher } from '../../ground/database/batcher.ts';
import type { Database } from '../../ground/database/database.ts';
import { tell, tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid, unavailable } from '../../ground/errors.ts';
import { currentTraceparent } from '../../ground/traces/spans.ts';
import { mismatch } from '../../ground/values/differences.ts';
import type { GiftOccasion } from '../../ground/values/gift-occasion.ts';
import { checkOrder, needsChecks } from './checks.ts';
import type { AcceptStep } from './order-steps.ts';
import { Originals } from './originals.ts';
import { makeRequestId } from './request-id.ts';
import { checkDelegation, type OrderSender, ownSender } from './sender.ts';
import { type StatusRow, statusRecord } from './status.ts';
import { type Entry, type Stored, storeOrders } from './store.ts';
import { type StoreMode, StoreModes } from './store-modes.ts';

export interface Submission {
  tokenId: number;
  /** Who submits it, if it is neither a token nor a user. */
  actor?: Actor | undefined;
  workspace: WorkspaceGrant;
  customerRequestId: string | null;
  idempotencyKey: string | null;
  order: OrderRequest;
  /** The budget that it names; null or absent: the sender's. */
  budgetId?: number | null;
  /** What its gifts are for; null or absent: they say thank you. */
  occasion?: GiftOccasion | null;
}

export interface Accepted {
  record: OrderRequestStatus;
  replayed: boolean;
}

const maxBatchBytes = 8 * 1024 * 1024;

/** A submission on its way into the database. */
type Arrival = Submission & Entry;

/** Why a submission was not stored: what became of its batch. */
interface NotStored {
  others: readonly Arrival[];
  stored: Stored;
}

/** Accepts orders. Those that wait at the same time are stored, with their wake-up, in one commit. */
export class Acceptance {
  readonly #database: Database;
  readonly #steps: readonly AcceptStep[];
  readonly #modes: StoreModes;
  readonly #batchers: Record<StoreMode, Batcher<Arrival, NotStored | null>>;
  readonly #originals: Originals;
  readonly #onNotStored: () => void;

  /** `onNotStored` is called when the database has rejected a batch. */
  constructor(database: Database, steps: readonly AcceptStep[] = [], onNotStored: () => void = () => {}) {
    this.#database = database;
    this.#steps = steps;
    this.#modes = new StoreModes(steps);
    this.#originals = new Originals(database);
    this.#onNotStored = onNotStored;
    const createBatcher = (mode: StoreMode) =>
      new Batcher<Arrival, NotStored | null>({
        run: (batch) => this.#storeAll(batch, mode),
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

  /**
   * Every order passes here, from whichever entry point. Its sender, recipients and cost are known after `#admit`, before anything is
   * stored. What a workspace allows or holds back is decided there, or by a step (`AcceptStep`) if it has to be part of the transaction.
   */
  async accept(submission: Submission): Promise<Accepted> {
    const { workspace, order } = submission;
    const sender = needsChecks(workspace, order) ? await this.#admit(submission) : ownSender(workspace);
    const requestId = makeRequestId();
    const row = rowText(submission, sender, requestId);
    const batcher = this.#batchers[this.#modes.of(submission)];
    const { workspaceId } = workspace;
    const arrival = { ...submission, workspaceId, senderId: sender.memberId, requestId, row };
    const notStored = await batcher.add(arrival);
    return notStored
      ? this.#answerOther(arrival, notStored)
      : { record: statusRecord(pendingRow(arrival)), replayed: false };
  }

  /** In the order of the batch: null for an order that is stored. */
  async #storeAll(batch: Arrival[], mode: StoreMode): Promise<(NotStored | null)[]> {
    const noteJudged = (some: readonly Entry[]) => this.#modes.note(some.map(({ workspace }) => workspace));
    const stored = await storeOrders(this.#database, this.#steps, batch, mode, noteJudged).catch((error) => {
      this.#onNotStored();
      throw error;
    });
    const others = batch.filter(({ requestId }) => stored.get(requestId) !== null);
    const refused = others.filter(({ requestId }) => stored.has(requestId));
    this.#modes.note(refused.map(({ workspace }) => workspace));
    tellSteps(this.#steps, { submitted: batch.length, accepted: batch.length - others.length });
    return batch.map(({ requestId }) => (stored.get(requestId) === null ? null : { others, stored }));
  }

  /**
   * Answers a request that was not stored. If its idempotency key was accepted before, it gets the same answer as then, also if a
   * recipient has left since.
   */
  async #answerOther(arrival: Arrival, { others, stored }: NotStored): Promise<Accepted> {
    const { workspaceId, idempotencyKey, order } = arrival;
    const original = idempotencyKey && (await this.#originals.find(workspaceId, idempotencyKey, order));
    if (!original) throw refusalOf(arrival, others, stored) ?? unavailable();
    const difference = await mismatchWith(this.#database, original.body, order);
    if (difference !== null) throw new Failure('mismatch', ...difference);
    for (const step of this.#steps) tell(() => step.afterReplay?.());
    return { record: statusRecord(original), replayed: true };
  }

  /**
   * Rejects what the workspace does not accept, and returns the sender. A request that is repeated later gets the answer of the first time,
   * though its date may have passed or its sender may have left: its key is taken, so its row is not stored.
   */
  async #admit(submission: Submission): Promise<OrderSender> {
    const { workspace, order } = submission;
    checkDelegation(workspace, order);
    const { sender, faults } = await checkOrder(this.#database, workspace, order);
    if (faults.length > 0 && !(await this.#isRepeated(submission))) throw invalid(faults);
    return sender ?? ownSender(workspace);
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

/** The row of an order as JSON text. */
export function rowText(submission: Submission, sender: OrderSender, requestId: string): string {
  const { tokenId, workspace, customerRequestId, idempotencyKey, order, budgetId, occasion } = submission;
  return JSON.stringify({
    workspace_id: workspace.workspaceId,
    request_id: requestId,
    token_id: tokenId,
    sender_id: sender.memberId,
    sender_name: sender.name,
    customer_request_id: customerRequestId,
    idempotency_key: idempotencyKey,
    currency: order.currency,
    language: order.language ?? workspace.language,
    body: order,
    may_have_left: workspace.acceptsLeavers,
    traceparent: currentTraceparent() ?? undefined,
    caller_role: workspace.role ?? undefined,
    named_budget_id: budgetId ?? undefined,
    occasion: occasion ?? undefined,
  });
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
