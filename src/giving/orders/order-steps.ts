import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { ExpectedRule } from '../../ground/contract/approval.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { RuleLevel } from '../../ground/contract/rule.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import type { Step } from '../../ground/database/run-steps.ts';
import type { Failure } from '../../ground/errors.ts';

/** An order that is being accepted. */
export interface AcceptedOrder {
  workspaceId: number;
  requestId: string;
  /** The token, the user or the automation that submits it. */
  tokenId: number;
  /** Who submits it, if it is neither a token nor a user. */
  actor?: Actor | undefined;
  /** The member who sends it. */
  senderId: number;
  customerRequestId: string | null;
  idempotencyKey?: string | null;
  /** The budget that it draws on, in place of its sender's; null or absent: it names none. */
  budgetId?: number | null;
  order: OrderRequest;
}

/** What decides whether a step has to do with an order. It is known before anything is read. */
export interface ConcernedOrder {
  workspace: WorkspaceGrant;
  tokenId: number;
  order: Pick<OrderRequest, 'note' | 'sender' | 'currency' | 'orderItems'>;
}

/** Why an order waits for a decision: the rule, who decides at each level, and how many days each level has. */
export interface Hold {
  rule: { id: number; name: string };
  levels: readonly RuleLevel[];
  days: number;
  parties: Parties;
  /** Where the order comes from, as rules see it. */
  origin: object;
  /** Who tried the order again; absent: its caller sent it. */
  by?: Actor;
}

/** Who may not decide about an order, as keys of people (approvals/parties.ts). */
export interface Parties {
  askers: string[];
  recipients: string[];
}

export interface HeldOrder extends AcceptedOrder {
  hold: Hold;
}

/** What would become of an order: the rule that would apply, and the message of one that rejects. */
export interface Preview {
  rule: ExpectedRule;
  rejection: string | null;
}

/** What became of the orders that were submitted together. The rest of them was refused, or accepted before. */
export interface AcceptedBatch {
  submitted: number;
  accepted: number;
}

/**
 * A step of acceptance. Orders of many workspaces are accepted together, each with its own answer. They come in the order
 * of their arrival. A repeated submission is not included: its order was accepted before.
 */
export interface AcceptStep {
  /**
   * Whether the step has to do with this order; absent: always. If no step has, acceptance needs no transaction.
   * It only saves time: `giftwire order retry` runs every step, so `refuse` and `inTransaction` must leave other orders alone.
   */
  concerns?(order: ConcernedOrder): boolean;
  /** Says which orders are rejected or wait for a decision, by requestId, before any step rejects or reserves. It only reads. */
  judge?(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<ReadonlyMap<string, Failure | Hold>>;
  /** Runs in the transaction, with those that wait, after all steps have run with them. They are not queued for fulfilment. */
  hold?(tx: Queryable, orders: readonly HeldOrder[]): Promise<void>;
  /** Says what `judge` would, for a person who has not sent the order yet. Null: nothing. */
  preview?(tx: Queryable, order: AcceptedOrder & ConcernedOrder): Promise<Preview | null>;
  /** Runs when a failed order is tried again, before it is judged. */
  reopen?(tx: Queryable, order: AcceptedOrder, actor: Actor): Promise<void>;
  /** Runs when orders that waited are let through: says which of them are above limits that were set meanwhile, and reserves the others. */
  release?(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<ReadonlyMap<string, Failure>>;
  /** Says which orders are refused, by requestId. It may lock what it reads, and changes nothing. */
  refuse?(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<ReadonlyMap<string, Failure>>;
  /**
   * The same as `refuse` and `inTransaction`, as CTEs of the statement that stores the orders, for the usual case that none is
   * refused. They read a CTE of new orders: workspace_id, request_id, sender_id, currency and nth. `value` is a parameter of the statement
   * with what `valueOf` says of all orders that are sent, some of which may not be new: an order is the nth of them. To refuse
   * an order, or to judge it, they let the statement fail with an error that `isRefusal` knows; then the other functions are used.
   */
  inStatement?: {
    /** Whether the statement can do everything for this order; absent: always. */
    suits?(order: ConcernedOrder): boolean;
    sql(orders: string, value: string): string;
    valueOf(orders: readonly AcceptedOrder[]): string;
    isRefusal(error: unknown): boolean;
  };
  /** Runs in the transaction that stores the orders, with those that no step refused. An error lets all of them fail. */
  inTransaction?(tx: Queryable, orders: readonly AcceptedOrder[]): Promise<void>;
  /**
   * Called after the transaction that accepts, tries again or validates these orders has failed and was undone. True: it has removed the cause, and the
   * transaction is repeated. It has its own transaction, so it can lock what must be locked first.
   */
  recover?(database: Database, orders: readonly AcceptedOrder[], error: unknown): Promise<boolean>;
  /** Runs after the commit, once for each batch. A crash can prevent it, so that it only counts and logs. */
  afterCommit?(batch: AcceptedBatch): void;
  /** Runs when a request is answered with an earlier order of the same idempotency key. It only counts and logs, too. */
  afterReplay?(): void;
}

export interface CompletedOrder {
  requestId: string;
  orderId: number;
  customerRequestId: string | null;
  /** One for each gift, in the order of `orderItems`. */
  certificateIds: number[];
  /** The sum of the gifts' amounts. */
  total: number;
  currency: string;
  /** The trace of the request that ordered it; null without one. */
  traceparent: string | null;
}

export interface FailedOrder {
  requestId: string;
  customerRequestId: string | null;
  traceparent: string | null;
  reason: string;
}

/**
 * Orders of one workspace that have got their outcome. The gifts can be read in the same transaction.
 * The workspace is locked until its end.
 */
export interface FinishedOrders {
  workspaceId: number;
  /** In a workspace it never goes back. */
  moment: string;
  completed: readonly CompletedOrder[];
  failed: readonly FailedOrder[];
  /** From the acceptance of each completed order to now. */
  waitedSeconds: readonly number[];
}

/**
 * A step of fulfilment. If it throws, the orders stay pending and are tried again later. It never makes an order fail: the
 * gifts could be issued, so the order is not the cause.
 */
export type FulfilStep = Step<FinishedOrders>;
