import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { EventType, GiftwireEvent, WebhookAttempt } from '../types.ts';
import { verifyWebhook, type WebhookHeaders } from '../verify.ts';

/** Events posted to other systems, signed as Standard Webhooks. */
export class Webhooks extends Resource {
  /**
   * Checks that a webhook comes from Giftwire and is not older than five minutes, and returns its event. Pass the body as it
   * came, before anything has parsed it. A receiver without a client can import `verifyWebhook`.
   */
  verify(rawBody: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string): Promise<GiftwireEvent> {
    return verifyWebhook(rawBody, headers, secret);
  }

  /** All endpoints of the workspace, and how far each has got. */
  readonly list = this.part('webhooks', 'GET /webhooks');
  /** Adds an endpoint, which gets the events from now on. The answer has its secret, once. */
  readonly create = this.method('POST /webhooks', 'body', { once: true });
  /** One endpoint, and how far it has got. */
  readonly retrieve = this.method('GET /webhooks/{id}');
  /** Changes the address, types, ordering or description. */
  readonly update = this.method('PATCH /webhooks/{id}', 'body');
  /** Nothing is posted to it from now on. */
  readonly delete = this.method('DELETE /webhooks/{id}');
  /** Gives it a new secret. Deliveries are signed with both secrets for 24 hours, then with the new one alone. */
  // A second rotation would end the secret that receivers have now.
  readonly rotate = this.method('POST /webhooks/{id}/rotate', null, { once: true });
  /** Delivery resumes with the first undelivered event. */
  readonly enable = this.method('POST /webhooks/{id}/enable');
  /** Nothing is posted to it until it is enabled again. */
  readonly disable = this.method('POST /webhooks/{id}/disable');

  /** Posts a sample event at once and returns what came of it. */
  test(id: number, type: EventType = 'order.completed', options: CallOptions = {}): Promise<WebhookAttempt> {
    return this.call('POST /webhooks/{id}/test', { path: { id }, body: { type }, once: true }, options);
  }

  /** Posts one event, or everything from a number, once more. */
  readonly replay = this.method('POST /webhooks/{id}/replay', 'body', { once: true });
  /** The latest attempts to post an event, the latest first. */
  readonly attempts = this.part('attempts', 'GET /webhooks/{id}/attempts', 'query');
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `update`. */
  readonly change = this.update;
}
