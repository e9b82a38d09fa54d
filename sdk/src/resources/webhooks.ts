import type { CallOptions, Transport } from '../transport.ts';
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
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Checks that a webhook comes from Giftwire and is not older than five minutes, and returns its event. Pass the body as it
   * came, before anything has parsed it. A receiver without a client can import `verifyWebhook`.
   */
  verify(rawBody: string | Uint8Array | ArrayBuffer, headers: WebhookHeaders, secret: string): Promise<GiftwireEvent> {
    return verifyWebhook(rawBody, headers, secret);
  }

  /** All endpoints of the workspace, and how far each has got. */
  async list({ signal }: CallOptions = {}): Promise<Webhook[]> {
    const call = { method: 'GET', path: '/webhooks', signal } as const;
    return (await this.#transport.json<{ webhooks: Webhook[] }>(call)).body.webhooks;
  }

  /** Adds an endpoint, which gets the events from now on. The answer has its secret, once. */
  async add(webhook: NewWebhook, { signal }: CallOptions = {}): Promise<WebhookWithSecret> {
    const call = { method: 'POST', path: '/webhooks', body: webhook, once: true, signal } as const;
    return (await this.#transport.json<WebhookWithSecret>(call)).body;
  }

  /** One endpoint, and how far it has got. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Webhook> {
    return (await this.#transport.json<Webhook>({ method: 'GET', path: `/webhooks/${id}`, signal })).body;
  }

  /** Changes the address, types, ordering or description. */
  async change(id: number, change: WebhookChange, { signal }: CallOptions = {}): Promise<Webhook> {
    const call = { method: 'PATCH', path: `/webhooks/${id}`, body: change, signal } as const;
    return (await this.#transport.json<Webhook>(call)).body;
  }

  /** Nothing is posted to it from now on. */
  async delete(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/webhooks/${id}`, signal });
  }

  /** Gives it a new secret. Deliveries are signed with both secrets for 24 hours, then with the new one alone. */
  rotate(id: number, options: CallOptions = {}): Promise<WebhookWithSecret> {
    // A second rotation would end the secret that receivers have now.
    return this.#post<WebhookWithSecret>(id, 'rotate', { ...options, once: true });
  }

  /** It goes on with the first event that it has not got. */
  enable(id: number, options: CallOptions = {}): Promise<Webhook> {
    return this.#post<Webhook>(id, 'enable', options);
  }

  /** Nothing is posted to it until it is enabled again. */
  disable(id: number, options: CallOptions = {}): Promise<Webhook> {
    return this.#post<Webhook>(id, 'disable', options);
  }

  /** Posts a sample event at once and returns what came of it. */
  test(id: number, type: EventType = 'order.completed', options: CallOptions = {}): Promise<WebhookAttempt> {
    return this.#post<WebhookAttempt>(id, 'test', { ...options, body: { type }, once: true });
  }

  /** Posts one event, or everything from a number, once more. */
  replay(id: number, what: WebhookReplay, options: CallOptions = {}): Promise<Webhook> {
    return this.#post<Webhook>(id, 'replay', { ...options, body: what, once: true });
  }

  /** The latest attempts to post an event, the latest first. */
  async attempts(id: number, query: { size?: number } = {}, { signal }: CallOptions = {}): Promise<WebhookAttempt[]> {
    const call = { method: 'GET', path: `/webhooks/${id}/attempts`, query, signal } as const;
    return (await this.#transport.json<{ attempts: WebhookAttempt[] }>(call)).body.attempts;
  }

  async #post<Body>(id: number, verb: string, options: CallOptions & { body?: unknown; once?: boolean }) {
    return (await this.#transport.json<Body>({ method: 'POST', path: `/webhooks/${id}/${verb}`, ...options })).body;
  }
}
