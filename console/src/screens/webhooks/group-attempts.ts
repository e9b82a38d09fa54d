import type { WebhookAttempt } from '@giftwire/sdk';

/** A delivery, or all failed attempts that ended in the same way. The first is the latest. */
export interface AttemptGroup {
  key: string;
  attempts: [WebhookAttempt, ...WebhookAttempt[]];
}

/** Puts failed attempts with the same status and message into one group each, at the place of the latest. Deliveries stay alone. */
export function groupAttempts(attempts: readonly WebhookAttempt[]): AttemptGroup[] {
  const groups = new Map<string, AttemptGroup>();
  for (const attempt of attempts) {
    const { eventId, attemptedAt, succeeded, status, error, answer } = attempt;
    const key = succeeded ? `${eventId} ${attemptedAt}` : JSON.stringify([status, error, answer]);
    const group = groups.get(key);
    if (group) group.attempts.push(attempt);
    else groups.set(key, { key, attempts: [attempt] });
  }
  return [...groups.values()];
}

/** The events that a group is about, each with its latest attempt. */
export function eventsOf({ attempts }: AttemptGroup): WebhookAttempt[] {
  return attempts.filter(({ eventId }, nth) => attempts.findIndex((one) => one.eventId === eventId) === nth);
}
