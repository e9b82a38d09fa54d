import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { Route } from './answer.ts';
import type { RecallCaller } from './authenticate.ts';

/** What a route with a direct way reads of a request. Fastify's own requests have it too, so one function serves both ways. */
export type Asked<Body = unknown, Params = unknown> = Pick<FastifyRequest, 'caller' | 'raw'> & {
  body: Body;
  params: Params;
};

/** What such a route answers. */
export interface Told {
  status: number;
  value: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Direct {
  answer(asked: Asked<never, never>): Promise<Told>;
  /** Tidies the body before it is checked. */
  tidy?(body: unknown): unknown;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Answers plain requests of this route without Fastify: see direct.ts. */
    direct?: Direct;
  }
}

/** Sends with Fastify what a route with a direct way answers. */
export function send(reply: FastifyReply, { status, value, headers = {} }: Told): FastifyReply {
  return reply.code(status).headers(headers).send(value);
}

/** A check as validation.ts makes it. */
type Check = (input: unknown) => true | { value: unknown } | { error: Error };

/** A route of Fastify, with what it takes to answer without Fastify. */
export interface DirectRoute {
  method: string;
  /** Up to the parameter, if there is one. */
  address: string;
  parameter: string | null;
  config: Route;
  direct: Direct;
  recallCaller: RecallCaller;
  checkParams: Check;
  /** The names of the headers that the route reads, in lower case. */
  headers: readonly string[];
  checkHeaders: Check;
  /** Null if the route reads no body. */
  checkBody: Check | null;
  write(status: number, value: unknown): string;
}

type Schemas = Partial<Record<'params' | 'headers' | 'body', { properties?: object }>>;

/** Takes everything from the route, so that what it declares holds for both ways. */
export function directRoute({ method, url, config, schema = {} }: RouteOptions, app: FastifyInstance): DirectRoute {
  const { area, validatorCompiler } = app;
  const { params, headers, body } = schema as Schemas;
  if (!config?.direct || !area?.recallCaller || !validatorCompiler || typeof method !== 'string')
    throw new Error(`the route ${url} cannot be answered without Fastify`);
  const checkOf = (part: object | undefined, httpPart: string) =>
    part ? (validatorCompiler({ schema: part, method, url, httpPart }) as Check) : () => true as const;
  const [address, parameter = null] = url.split(':') as [string, string?];
  return {
    method,
    address,
    parameter,
    config: { ...config, url },
    direct: config.direct,
    recallCaller: area.recallCaller,
    checkParams: checkOf(params, 'params'),
    headers: Object.keys(headers?.properties ?? {}).map((name) => name.toLowerCase()),
    checkHeaders: checkOf(headers, 'headers'),
    checkBody: body ? checkOf(body, 'body') : null,
    write: writerOf(schema.response as Responses, app),
  };
}

type Responses = Record<string, { content: Record<string, { schema: unknown }> }>;

function writerOf(responses: Responses, { serializerCompiler }: FastifyInstance): DirectRoute['write'] {
  const writers = Object.entries(responses).map(([httpStatus, { content }]) => {
    const schema = content['application/json']?.schema;
    return [Number(httpStatus), serializerCompiler?.({ schema, httpStatus } as never)] as const;
  });
  const byStatus = new Map(writers);
  return (status, value) => (byStatus.get(status) ?? JSON.stringify)(value);
}
