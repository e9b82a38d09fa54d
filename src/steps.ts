import type { Logger } from 'pino';
import type { Metrics } from './metrics.ts';
import type { AcceptStep, FulfilStep } from './orders/steps.ts';
import type { ShoutoutStep } from './recognition/steps.ts';

/** The steps of one process: what happens together with a change, beyond the room that makes it. They run in this order. */
export interface Steps {
  accept: AcceptStep[];
  fulfil: FulfilStep[];
  shoutouts: ShoutoutStep[];
}

/**
 * The steps of acceptance that refuse orders or write with them, for instance a budget. They need no metrics and no log, because
 * `giftwire order retry` runs them too.
 */
export const acceptSteps: AcceptStep[] = [];

export function createSteps(metrics: Metrics, log: Logger): Steps {
  return {
    accept: [...acceptSteps, countAccepted(metrics)],
    fulfil: [countFinished(metrics), logFailed(log)],
    shoutouts: [],
  };
}

function countAccepted(metrics: Metrics): AcceptStep {
  return {
    afterCommit({ submitted, accepted, replayed }) {
      metrics.batchSize.observe({ step: 'accept' }, submitted);
      metrics.accepted.inc(accepted);
      metrics.replayed.inc(replayed);
    },
  };
}

function countFinished(metrics: Metrics): FulfilStep {
  return {
    afterCommit({ completed, failed }) {
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
