import type { Operations } from './generated.ts';
import { keepResponse } from './hooks.ts';
import { type KeyOptions, keyOf, type Replayed, withReplayed } from './idempotency.ts';
import type { Call, CallOptions, Transport } from './transport.ts';

/** An operation, as `GET /orders`: its method, and its path after `/api/v1`. */
type Key = keyof Operations;
type ResponseOf<K extends Key> = Operations[K]['response'];

/** What an operation takes. The names of a query are checked here, its values by the parameters of the methods. */
type Given<K extends Key> = Pick<Operations[K], Extract<keyof Operations[K], 'path' | 'body'>> & {
  query?: Operations[K] extends { query: infer Query } ? Partial<Record<keyof Query, unknown>> : never;
} & Pick<Call, 'raw' | 'headers' | 'once' | 'heldMs' | 'retries'>;

/** What the methods of all resources are made of. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The response of an operation. */
  protected async call<K extends Key>(key: K, given: Given<K>, options: CallOptions): Promise<ResponseOf<K>> {
    const { body, response } = await this.#transport.json<ResponseOf<K>>({ ...callOf(key, given), ...chosen(options) });
    return keepResponse(body, response);
  }

  /** The same for what is done at most once for a key. */
  protected async callWithKey<K extends Key>(
    key: K,
    given: Given<K>,
    options: KeyOptions,
  ): Promise<ResponseOf<K> & Replayed> {
    const call = { ...callOf(key, given), ...chosen(options), idempotencyKey: keyOf(options) };
    const answer = await this.#transport.json<ResponseOf<K>>(call);
    return keepResponse(withReplayed(answer, options), answer.response);
  }

  /** A document as text. */
  protected text<K extends Key>(key: K, given: Given<K>, accept: string, options: CallOptions): Promise<string> {
    return this.#transport.text({ ...callOf(key, given), headers: { Accept: accept }, ...chosen(options) });
  }

  /** A CSV file, as it comes. */
  protected file<K extends Key>(key: K, given: Given<K>, options: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...callOf(key, given), headers: { Accept: 'text/csv' }, ...chosen(options) });
  }
}

/** The options that a caller gave. What a method decides itself stays where they gave none. */
function chosen({ signal, timeoutMs, retries, idempotencyKey, ifMatch }: CallOptions): CallOptions {
  const given = Object.entries({ signal, timeoutMs, retries, idempotencyKey, ifMatch });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function callOf(key: Key, { path = {}, ...given }: Omit<Call, 'method' | 'path'> & { path?: object }): Call {
  const [method, template] = key.split(' ') as [Call['method'], string];
  const values = path as Record<string, unknown>;
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  return { ...given, method, path: filled };
}
