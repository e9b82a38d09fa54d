import type { EventType } from './event.ts';

/** An endpoint to add. */
export interface NewWebhook {
  /** Where events are posted to: http or https. */
  url: string;
  /** Only these types of events; every type when empty or absent. */
  types?: EventType[];
  /** none: several at a time, as soon as possible. strict: one after the other, and one that fails holds up the next. */
  ordering?: 'none' | 'strict';
  /** A note of your own. */
  description?: string | null;
}

/** What to change about a webhook. Fields that are left out stay as they are. */
export type WebhookChange = Partial<NewWebhook>;

/** An endpoint, and how far it has got. */
export interface Webhook extends Required<NewWebhook> {
  /** Identifies the webhook. */
  id: number;
  /** False where it gets no events. */
  enabled: boolean;
  /** GONE: it answered 410. FAILING: five days of nothing but failures. BY_HAND: somebody disabled it. */
  disabledReason: string | null;
  /** Events up to this number were posted, or wait for another attempt. */
  deliveredThrough: number;
  /** How many events wait for another attempt. */
  waitingRetries: number;
  /** Since when every attempt has failed. */
  failingSince: string | null;
  /** When it was added. */
  createdAt: string;
}

/** A webhook with the secret that verifies its signatures. It is shown now, and again only after a rotation. */
export interface WebhookWithSecret extends Webhook {
  /** Keep it where your receiver reads it. */
  secret: string;
}

/** One attempt to post an event. */
export interface WebhookAttempt {
  /** Which event. */
  eventId: string;
  /** When it was posted. */
  attemptedAt: string;
  /** Whether the answer was a 2xx. */
  succeeded: boolean;
  /** The HTTP status; null without an answer. */
  status: number | null;
  /** How long it took. */
  durationMs: number;
  /** Why it failed. */
  error: string | null;
  /** The first 1,000 characters of the answer. */
  answer: string | null;
}

/** What to post once more: one event, or everything from a number. */
export interface WebhookReplay {
  /** One event, as evt_1_42. */
  eventId?: string;
  /** Everything from this number. */
  from?: number;
}
