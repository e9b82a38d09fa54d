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
import { takeBackSenderMonths } from './giving/approvals/sender-months.ts';
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
  judge: judgeByRules,
  inTransaction: countSenderMonths,
  inStatement: { suits: isCountedAlone, sql: counting, valueOf: monthCosts, isRefusal: isOverMonth },
  recover: async (_database, _orders, error) => isOverMonth(error),
  hold: noteHeld,
  preview: previewRule,
  reopen: forgetDecisions,
};

/**
 * The steps of acceptance that refuse orders or write with them, for instance a budget. They need no metrics and no log, because
 * `giftwire order retry` runs them too.
 */
export const acceptSteps: AcceptStep[] = [gate, reserve, capRecipients];

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
      ...(mailsGifts ? [queueMails, noteRush(rush)] : []),
      settle,
      takeBack,
      countFinished(metrics),
      traceCompleted,
      logFailed(log),
    ],
    decline: [...declineSteps, ...(mailsUsers ? [queueApprovalMails] : []), countFinished(metrics), logDeclined(log)],
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

/** The steps of orders that fail because they were declined, without metrics and log. */
export const declineSteps: FulfilStep[] = [appendOrderEvents, settle, takeBack];

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

const appendShoutoutEvents: ShoutoutStep = {
  async inTransaction(tx, { workspaceId, moment, given, decided }) {
    await appendEvents(tx, workspaceId, moment, [
      ...given.map(
        ({ number: _number, idempotencyKey: _key, ...data }): NewEvent => ({ type: 'shoutout.given', data }),
      ),
      ...decided.map(
        ({ id, decision, decidedBy }): NewEvent => ({
          type: decision === 'APPROVED' ? 'shoutout.approved' : 'shoutout.declined',
          data: { id, decidedBy },
        }),
      ),
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
