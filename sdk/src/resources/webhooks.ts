import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  EventType,
  GiftwireEvent,
  NewWebhook,
  Webhook,
  WebhookAttempt,
  WebhookChange,
  WebhookReplay,
  WebhookWithSecret,
} from '../types.ts';
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
  async list(options: CallOptions = {}): Promise<Webhook[]> {
    return (await this.call('GET /webhooks', {}, options)).webhooks;
  }

  /** Adds an endpoint, which gets the events from now on. The answer has its secret, once. */
  create(webhook: NewWebhook, options: CallOptions = {}): Promise<WebhookWithSecret> {
    return this.call('POST /webhooks', { body: webhook, once: true }, options);
  }

  /** One endpoint, and how far it has got. */
  retrieve(id: number, options: CallOptions = {}): Promise<Webhook> {
    return this.call('GET /webhooks/{id}', { path: { id } }, options);
  }

  /** Changes the address, types, ordering or description. */
  update(id: number, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> {
    return this.call('PATCH /webhooks/{id}', { path: { id }, body: change }, options);
  }

  /** Nothing is posted to it from now on. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /webhooks/{id}', { path: { id } }, options);
  }

  /** Gives it a new secret. Deliveries are signed with both secrets for 24 hours, then with the new one alone. */
  rotate(id: number, options: CallOptions = {}): Promise<WebhookWithSecret> {
    // A second rotation would end the secret that receivers have now.
    return this.call('POST /webhooks/{id}/rotate', { path: { id }, once: true }, options);
  }

  /** It goes on with the first event that it has not got. */
  enable(id: number, options: CallOptions = {}): Promise<Webhook> {
    return this.call('POST /webhooks/{id}/enable', { path: { id } }, options);
  }

  /** Nothing is posted to it until it is enabled again. */
  disable(id: number, options: CallOptions = {}): Promise<Webhook> {
    return this.call('POST /webhooks/{id}/disable', { path: { id } }, options);
  }

  /** Posts a sample event at once and returns what came of it. */
  test(id: number, type: EventType = 'order.completed', options: CallOptions = {}): Promise<WebhookAttempt> {
    return this.call('POST /webhooks/{id}/test', { path: { id }, body: { type }, once: true }, options);
  }

  /** Posts one event, or everything from a number, once more. */
  replay(id: number, what: WebhookReplay, options: CallOptions = {}): Promise<Webhook> {
    return this.call('POST /webhooks/{id}/replay', { path: { id }, body: what, once: true }, options);
  }

  /** The latest attempts to post an event, the latest first. */
  async attempts(id: number, query: { size?: number } = {}, options: CallOptions = {}): Promise<WebhookAttempt[]> {
    return (await this.call('GET /webhooks/{id}/attempts', { path: { id }, query }, options)).attempts;
  }

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `update`. */
  readonly change = this.update;
}
