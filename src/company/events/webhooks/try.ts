import type { Dispatcher } from 'undici';
import type { EventType } from '../../../ground/contract/event.ts';
import type { WebhookAttempt } from '../../../ground/contract/webhook.ts';
import { clockFrom } from '../../../ground/database/clock.ts';
import { postEvent } from './post.ts';
import { sampleEvent } from './sample.ts';
import { type DeriveSecret, type SecretOf, signingSecrets } from './signature.ts';

/** Posts a sample event to an endpoint at once, and tells what came of it. Nothing of it is kept. */
export async function tryWebhook(
  agent: Dispatcher,
  endpoint: SecretOf & { url: string; rotatedAt: Date | null; readAt: Date; history: string },
  deriveSecret: DeriveSecret,
  type: EventType,
): Promise<WebhookAttempt> {
  const clock = clockFrom(endpoint.readAt);
  const event = sampleEvent(endpoint.workspaceId, type, clock());
  const secrets = signingSecrets(deriveSecret, endpoint, clock());
  const { at, status, durationMs, problem, answer } = await postEvent(
    agent,
    endpoint.url,
    { event, history: endpoint.history },
    { secrets, clock },
    new AbortController().signal,
  );
  const attemptedAt = at.toISOString();
  return {
    eventId: event.id,
    type,
    attemptedAt,
    succeeded: problem === null,
    status,
    durationMs,
    error: problem,
    answer,
  };
}
