import type { Logger } from 'pino';
import { appendEvents } from './company/events/log.ts';
import type { ApprovalStep } from './giving/approvals/announce.ts';
import {
  counting,
  countSenderMonths,
  isCountedAlone,
  isOverMonth,
  monthCosts,
} from './giving/approvals/count-months.ts';
import { forgetDecisions, noteHeld } from './giving/approvals/hold.ts';
import { judgeByRules, mayBeJudged, previewRule } from './giving/approvals/judge.ts';
import type { DecisionSteps } from './giving/approvals/outcomes.ts';
import { takeBackSenderMonths } from './giving/approvals/sender-months.ts';
import { findAskers } from './giving/automations/askers.ts';
import { noteFailedOrders, reopenOccurrences } from './giving/automations/failed-orders.ts';
import { type EmailManagers, noteUsedNudges } from './giving/automations/managers.ts';
import { reserveReleased } from './giving/budgets/release.ts';
import {
  costsOf,
  isOverBudget,
  recoverReserving,
  refuseOverBudget,
  reserveOrders,
  reserving,
} from './giving/budgets/reserve.ts';
import { settleOrders } from './giving/budgets/settle.ts';
import { queueApprovalMails } from './giving/delivery/approvals/queue.ts';
import { queueManagerMails } from './giving/delivery/managers/queue.ts';
import { queueGiftMails } from './giving/delivery/queue.ts';
import type { Rush } from './giving/delivery/send/rush.ts';
import { auditOrders, isAudited } from './giving/orders/audit-orders.ts';
import type { AcceptStep, CompletedOrder, FulfilStep } from './giving/orders/order-steps.ts';
import { isCapped, refuseOverCap, refuseReleasedOverCap } from './giving/orders/recipient-cap.ts';
import { refuseRetryOfPost } from './giving/recognition/post-gifts.ts';
import { settlePosts } from './giving/recognition/settle-posts.ts';
import type { ShoutoutStep } from './giving/recognition/shoutout-steps.ts';
import type { NewEvent } from './ground/contract/event.ts';
import type { Metrics } from './ground/metrics.ts';
import { notePast } from './ground/traces/spans.ts';

/** The steps of one process: what happens together with a change, beyond the module that makes it. They run in this order. */
export interface Steps {
  accept: AcceptStep[];
  fulfil: FulfilStep[];
  /** Of orders that begin to wait or are decided, and of those that fail because they were declined. */
  decline: ApprovalStep[];
  shoutouts: ShoutoutStep[];
  /** Queues the emails to managers about what automations do; null: no email is sent. */
  emailManagers: EmailManagers | null;
}

const reserve: AcceptStep = {
  concerns: ({ workspace }) => workspace.hasBudgets,
  refuse: refuseOverBudget,
  inTransaction: reserveOrders,
  release: reserveReleased,
  recover: recoverReserving,
  inStatement: { sql: reserving, valueOf: costsOf, isRefusal: isOverBudget },
};

/** Comes after the budgets: ARCHITECTURE.md has the order of locks. */
const capRecipients: AcceptStep = { concerns: isCapped, refuse: refuseOverCap, release: refuseReleasedOverCap };

/** The rules of the workspace: an order that one of them fits is rejected, or waits for approval. */
const gate: AcceptStep = {
  concerns: mayBeJudged,
  judge: (tx, orders) => judgeByRules(tx, orders, findAskers),
  inTransaction: countSenderMonths,
  inStatement: { suits: isCountedAlone, sql: counting, valueOf: monthCosts, isRefusal: isOverMonth },
  recover: async (_database, _orders, error) => isOverMonth(error),
  hold: noteHeld,
  preview: previewRule,
  reopen: forgetDecisions,
};

/** Posts give their orders themselves (feed/give-with-gifts.ts). */
const gateOfPosts: AcceptStep = {
  concerns: () => false,
  reopen: (tx, { workspaceId, requestId }) => refuseRetryOfPost(tx, workspaceId, requestId),
};

/** What automations ordered is no longer sent if its order fails, and is again if the order is tried again. */
const reopenAutomations: AcceptStep = { concerns: () => false, reopen: reopenOccurrences };
const noteFailed: FulfilStep = { inTransaction: noteFailedOrders };

/**
 * The steps of acceptance that refuse orders or write with them, for instance a budget. They need no metrics and no log, because
 * `giftwire order retry` runs them too.
 */
export const acceptSteps: AcceptStep[] = [gate, reserve, capRecipients, gateOfPosts, reopenAutomations];

/** A retry has its own entry (orders/retry.ts). */
const noteOrders: AcceptStep = { concerns: isAudited, inTransaction: auditOrders };

export interface StepOptions {
  metrics: Metrics;
  log: Logger;
  /** Whether the gifts are emailed. */
  mailsGifts: boolean;
  /** Whether approvers and senders are emailed. */
  mailsUsers?: boolean;
  /** Told of the orders that were completed, so that the sender of emails gives way. */
  rush: Rush;
}

export function createSteps({ metrics, log, mailsGifts, mailsUsers = false, rush }: StepOptions): Steps {
  return {
    accept: [...acceptSteps, noteOrders, countAccepted(metrics)],
    fulfil: [
      appendOrderEvents,
      settlePostsOfOrders,
      noteFailed,
      ...(mailsGifts ? [queueMails, noteRush(rush)] : []),
      settle,
      takeBack,
      countFinished(metrics),
      traceCompleted,
      logFailed(log),
    ],
    decline: [...decisionSteps(mailsUsers).decline, countFinished(metrics), logDeclined(log)],
    shoutouts: commandSteps.shoutouts,
    emailManagers: mailsUsers ? queueManagerMails : null,
  };
}

/** Made of what fulfilment knows already, so that the orders are not read again. */
export const appendOrderEvents: FulfilStep = {
  inTransaction: (tx, { workspaceId, moment, completed, failed }) =>
    appendEvents(tx, workspaceId, moment, [
      ...completed.map(completedEvent),
      ...failed.map(
        ({ requestId, customerRequestId, traceparent }): NewEvent => ({
          type: 'order.failed',
          data: { requestId, customerRequestId },
          traceparent,
        }),
      ),
    ]),
};

/** Comes last of those that write: acceptance waits for the budgets that it locks. */
export const settle: FulfilStep = {
  inTransaction: (tx, { workspaceId, moment, ...finished }) => settleOrders(tx, workspaceId, moment, finished),
};

/** After the budgets, as in acceptance. */
const takeBack: FulfilStep = {
  inTransaction: (tx, { workspaceId, failed }) => takeBackSenderMonths(tx, workspaceId, failed),
};

/** Posts wait for their gifts. */
const settlePostsOfOrders: FulfilStep = {
  inTransaction: (tx, finished) => settlePosts(tx, commandSteps.shoutouts, finished),
};

/** The steps of orders that fail because they were declined, without metrics and log. */
export const declineSteps: FulfilStep[] = [appendOrderEvents, settlePostsOfOrders, noteFailed, settle, takeBack];

/** The steps of a decision, without metrics and log. */
export function decisionSteps(mailsUsers: boolean): DecisionSteps {
  return { accept: acceptSteps, decline: [...declineSteps, ...(mailsUsers ? [queueApprovalMails] : [])] };
}

const queueMails: FulfilStep = {
  inTransaction: (tx, { workspaceId, moment, completed }) =>
    queueGiftMails(
      tx,
      workspaceId,
      moment,
      completed.map(({ requestId }) => requestId),
    ),
};

function noteRush(rush: Rush): FulfilStep {
  return { afterCommit: ({ completed }) => rush.note(completed.length) };
}

function completedEvent(order: CompletedOrder): NewEvent {
  const { requestId, customerRequestId, orderId, certificateIds, total, currency, traceparent } = order;
  const gifts = certificateIds.length;
  const data = { requestId, customerRequestId, orderId, gifts, total, currency };
  return { type: 'order.completed', data, traceparent };
}

const noPeople = { senderId: null, receiverId: null };

const appendShoutoutEvents: ShoutoutStep = {
  async inTransaction(tx, { workspaceId, moment, given, decided, edited = [] }) {
    await appendEvents(tx, workspaceId, moment, [
      ...given.map(
        ({ id, status, isPrivate, senderId, receiverId }): NewEvent => ({
          type: 'shoutout.given',
          // Readers of the log do not learn who a private shoutout is about.
          data: { id, status, isPrivate, ...(isPrivate ? noPeople : { senderId, receiverId }) },
        }),
      ),
      ...decided.map(
        ({ id, decision, decidedBy }): NewEvent => ({
          type: decision === 'APPROVED' ? 'shoutout.approved' : 'shoutout.declined',
          data: { id, decidedBy },
        }),
      ),
      ...edited.map((id): NewEvent => ({ type: 'shoutout.changed', data: { id } })),
    ]);
  },
};

/** The steps of orders and shoutouts that a command sends: without metrics and log. */
export const commandSteps: Pick<Steps, 'accept' | 'shoutouts'> = {
  accept: [...acceptSteps, noteOrders],
  shoutouts: [appendShoutoutEvents, noteUsedNudges],
};

/** In the trace of the request, from its acceptance to the issue of its gifts. */
const traceCompleted: FulfilStep = {
  afterCommit({ completed, waitedSeconds }) {
    for (const [nth, { traceparent, requestId, certificateIds }] of completed.entries()) {
      const attributes = { 'giftwire.request_id': requestId, 'giftwire.gifts': certificateIds.length };
      notePast('fulfil order', traceparent, waitedSeconds[nth] ?? 0, attributes);
    }
  },
};

function countAccepted(metrics: Metrics): AcceptStep {
  return {
    afterCommit({ submitted, accepted }) {
      metrics.batchSize.observe({ step: 'accept' }, submitted);
      metrics.accepted.inc(accepted);
    },
    afterReplay: () => metrics.replayed.inc(),
  };
}

function countFinished(metrics: Metrics): FulfilStep {
  return {
    afterCommit({ completed, failed, waitedSeconds }) {
      for (const seconds of waitedSeconds) metrics.completion.observe(seconds);
      metrics.completed.inc(completed.length);
      metrics.failed.inc(failed.length);
      metrics.gifts.inc(completed.reduce((sum, { certificateIds }) => sum + certificateIds.length, 0));
      if (completed.length > 0) metrics.batchSize.observe({ step: 'fulfil' }, completed.length);
    },
  };
}

function logFailed(log: Logger): FulfilStep {
  return {
    afterCommit({ failed }) {
      for (const { requestId, reason } of failed) log.error({ requestId, reason }, 'An order has failed.');
    },
  };
}

/** A decision of people is no error of the service. */
function logDeclined(log: Logger): FulfilStep {
  return {
    afterCommit({ failed }) {
      for (const { requestId } of failed) log.info({ requestId }, 'An order was declined.');
    },
  };
}
