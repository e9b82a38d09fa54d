import type { Operations } from './generated.ts';

import { type KeyOptions, keyOf, type Replayed, withReplayed } from './idempotency.ts';
import { eachAfter, eachElement, usualSize } from './paging.ts';
import { keepResponse, responseOf } from './responses.ts';
import type { Call, CallOptions, Transport } from './transport.ts';
import type { PageQuery } from './types.ts';

/** An operation, for example `GET /orders`: its method, and its path after `/api/v1`. */
type Key = keyof Operations;
export type ResponseOf<K extends Key> = Operations[K]['response'];

/** What an operation takes. The names of a query are checked here, its values by the parameters of the methods. */
type Given<K extends Key> = Pick<Operations[K], Extract<keyof Operations[K], 'path' | 'body'>> & {
  query?: Operations[K] extends { query: infer Query } ? Partial<Record<keyof Query, unknown>> : never;
} & Pick<Call, 'raw' | 'headers' | 'once' | 'heldMs' | 'retries'>;

/** What a method takes after the ids of the path. */
type DataKind = 'query' | 'body' | null;
type Settings = Pick<Call, 'once' | 'heldMs'>;

type QueryOf<K extends Key> = Operations[K] extends { query: infer Query } ? Query : never;
/** Optional if everything in it is. */
type QueryArgument<Query> = Partial<Query> extends Query ? [query?: Query | undefined] : [query: Query];
type DataOf<K extends Key, Kind extends DataKind> = Kind extends 'query'
  ? QueryArgument<Omit<QueryOf<K>, 'bom'>>
  : Kind extends 'body'
    ? Operations[K] extends { body: infer Body }
      ? [body: Body]
      : Operations[K] extends { body?: infer Body }
        ? [body?: Body | undefined]
        : never
    : [];

/** The ids of a path, in its order. */
type IdsOf<K extends Key, Path extends string = K> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Operations[K] extends { path: infer Values }
    ? [id: Values[Name & keyof Values], ...IdsOf<K, Rest>]
    : never
  : [];

/** A method: it takes the ids of the path, then the query or the body, then options. */
export type Method<K extends Key, Kind extends DataKind, Result> = (
  ...given: [...IdsOf<K>, ...DataOf<K, Kind>, options?: CallOptions | undefined]
) => Promise<Result>;
/** The same for a file: it has all that fits. */
export type FileMethod<K extends Key, Kind extends DataKind> = (
  ...given: [
    ...IdsOf<K>,
    ...(Kind extends 'query' ? QueryArgument<Omit<QueryOf<K>, keyof PageQuery | 'after'>> : []),
    options?: CallOptions | undefined,
  ]
) => Promise<ReadableStream<Uint8Array>>;
/** The same for all elements of a list, for `for await`. */
export type EachMethod<K extends Key, Name extends keyof ResponseOf<K>, Left extends string = 'bom'> = (
  ...given: [...IdsOf<K>, ...QueryArgument<Omit<QueryOf<K>, Left | 'bom'>>, options?: CallOptions | undefined]
) => AsyncGenerator<ResponseOf<K>[Name] extends readonly (infer Element)[] ? Element : never, void>;

/** What the methods of all resources are made of. */
export abstract class Resource {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A method whose result is the response of an operation. */
  protected method<K extends Key, Kind extends DataKind = null>(
    key: K,
    kind?: Kind,
    settings?: Settings,
  ): Method<K, Kind, ResponseOf<K>> {
    return (...given) => {
      const { data, options } = divide<K>(key, kind, given);
      return this.call(key, { ...data, ...settings }, options);
    };
  }

  /** The same for what is done at most once for a key. */
  protected keyed<K extends Key, Kind extends DataKind = null>(
    key: K,
    kind?: Kind,
    settings?: Settings,
  ): Method<K, Kind, ResponseOf<K> & Replayed> {
    return (...given) => {
      const { data, options } = divide<K>(key, kind, given);
      return this.callWithKey(key, { ...data, ...settings }, options);
    };
  }

  /** The same for one field of the response. */
  protected part<K extends Key, Name extends keyof ResponseOf<K>, Kind extends DataKind = null>(
    name: Name,
    key: K,
    kind?: Kind,
    settings?: Settings,
  ): Method<K, Kind, ResponseOf<K>[Name]> {
    const whole = this.method(key, kind, settings);
    return async (...given) => {
      const response = await whole(...given);
      return keepResponse((response as NonNullable<ResponseOf<K>>)[name], responseOf(response as object));
    };
  }

  /** The same for a file, as it comes. */
  protected file<K extends Key, Kind extends DataKind = null>(
    key: K,
    kind?: Kind,
    accept = 'text/csv',
  ): FileMethod<K, Kind> {
    return (...given) => {
      const { data, options } = divide<K>(key, kind, given);
      return this.#transport.bytes({ ...callOf(key, data), headers: { Accept: accept }, ...chosen(options) });
    };
  }

  /** A method for all elements of a list that has numbered pages, which are read as they are needed. */
  protected eachPage<K extends Key, Name extends keyof ResponseOf<K>>(key: K, name: Name): EachMethod<K, Name, 'page'> {
    return (...given) => {
      const { data, options } = divide<K>(key, 'query', given);
      const read = (page: number) =>
        this.call(key, { ...data, query: { size: usualSize, ...data.query, page } }, options);
      return eachElement(read as (page: number) => Promise<never>, (page) => page[name]);
    };
  }

  /** The same for a list whose pages say where the next one begins. */
  protected eachAfter<K extends Key, Name extends keyof ResponseOf<K>>(key: K, name: Name): EachMethod<K, Name> {
    return (...given) => {
      const { data, options } = divide<K>(key, 'query', given);
      const read = (query: object) => this.call(key, { ...data, query }, options);
      return eachAfter(data.query ?? {}, read as (query: object) => Promise<never>, (page) => page[name]);
    };
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
}

/** Divides what a method was given into what the operation takes and the options. */
function divide<K extends Key>(key: K, kind: DataKind | undefined, given: readonly unknown[]) {
  const names = [...key.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const path = Object.fromEntries(names.map((name, nth) => [name, given[nth]]));
  const [data = {}, options = {}] = kind ? given.slice(names.length) : [{}, given[names.length]];
  return { data: { path, ...(kind && { [kind]: data }) } as unknown as Given<K>, options: options as CallOptions };
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
