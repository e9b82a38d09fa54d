import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
  RouteShorthandOptions,
} from 'fastify';
import Type, { type Static, type TProperties, type TSchema } from 'typebox';
import { IdempotencyHeader, ReplayedHeader } from '../../../../ground/contract/idempotency.ts';
import { ignoresUnknown, ref } from '../../../../ground/contract/schema.ts';
import type { Database } from '../../../../ground/database/database.ts';
import type { NamedSchema } from '../../area.ts';
import { optionalBody } from '../../body/tidy.ts';
import { restoreHeaderText } from '../../callers/header-text.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Access } from '../../route-table.ts';
import { type CsvFile, sendCsv } from './csv.ts';
import { formerRoute, renameQuery, withFormerQuery } from './deprecated.ts';
import type { Exports } from './exports.ts';
import { keyed } from './keyed.ts';
import { type ListsPeople, noteLists } from './lists-people.ts';
import { asksForCsv } from './media.ts';
import type { Returns } from './returns.ts';
import { IfMatchHeader, VersionHeader } from './versions.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Response<Result> = Result | FastifyReply | Promise<Result | FastifyReply>;

/** What an operation of the API declares. Everything else about its route follows from this. */
interface Operation<Request, Params, Query, Body, Result>
  extends Pick<FastifyContextConfig, 'forManagers' | 'forLeavers' | 'maxValues' | 'holdsMs' | 'bodyIsOptional'>,
    Pick<RouteShorthandOptions, 'bodyLimit' | 'attachValidation' | 'preValidation'> {
  summary: string;
  description: string;
  params?: Params;
  query?: Query;
  /** Headers besides X-Workspace-id. */
  headers?: TProperties;
  /** A named schema, or a file. */
  body?: Body;
  /** Whether unknown fields of the body are ignored. Otherwise they are rejected. */
  ignoresUnknown?: boolean;
  returns: Returns<Result>;
  /** For a POST that creates and changes nothing, as a trial or a look-up does: it needs no Idempotency-Key. */
  changesNothing?: boolean;
  /** For a POST that does not act in one transaction: its Idempotency-Key is taken before it is carried out. */
  actsOutside?: boolean;
  /** Whether the response has a secret, which a repeated request does not get again. */
  returnsSecret?: boolean;
  /** What of the response may be stored for requests that repeat this one; absent: all of it. */
  keeps?: (result: NoInfer<Result>) => Result;
  /** Statuses of errors that do not follow from the rest. */
  fails?: readonly number[];
  /** The response lists people with their addresses or numbers: the audit log says who reads it. */
  listsPeople?: ListsPeople;
  handler: (request: Request, reply: FastifyReply) => Response<NoInfer<Result>>;
  /** The response to a caller who asks for CSV. */
  csv?: CsvResponse<Request>;
  /** Responses have the ETag of what people edit, and a change with another If-Match gives 412. */
  isVersioned?: boolean;
  /** The path that it had before, and its id there. It stays as an alias until its sunset. */
  formerly?: { id: string; path: string };
  /** Former names of query parameters, and their names now. */
  formerQuery?: Readonly<Record<string, string>>;
}

interface CsvResponse<Request> {
  exports: Exports;
  /** The file of all rows. It reads them from the given database alone, which ends it when the caller loses the right to it. */
  file: (request: Request, database: Database) => Omit<CsvFile, 'hasByteOrderMark'>;
}

/**
 * Adds an operation to the API. A POST is carried out once for an Idempotency-Key, unless it keeps the key itself (it declares the
 * header), changes nothing, or is about the caller alone. Its id is its operationId in the OpenAPI document and its name in the SDK. What it declares implies its
 * headers, its status, the responses of its errors, and how its body is read. Its route is a route of Fastify, with all hooks of the area.
 */
export function operation<Params extends TSchema, Query extends TSchema, Body extends TSchema, Result>(
  app: FastifyInstance,
  id: string,
  route: `${Method} ${string}`,
  access: Access,
  declared: Operation<
    FastifyRequest<{ Params: Static<Params>; Querystring: Static<Query>; Body: Static<Body> }>,
    Params,
    Query,
    Body,
    Result
  >,
): void {
  const { summary, description, params, query, headers, body, returns, fails, handler, csv, ...rest } = declared;
  const { isVersioned, formerly, formerQuery, listsPeople, ...others } = rest;
  const { bodyLimit, attachValidation, preValidation, ignoresUnknown: ignores, ...more } = others;
  const { changesNothing, actsOutside, returnsSecret = false, keeps, ...config } = more;
  const { status, response, media } = returns;
  const [method = '', path = ''] = route.split(' ');
  const changesVersion = isVersioned && method !== 'GET';
  const keepsKey = Object.hasOwn(headers ?? {}, 'Idempotency-Key');
  const isKeyed = method === 'POST' && access !== 'self' && !keepsKey && !changesNothing;
  const allHeaders = isKeyed ? { ...headers, ...IdempotencyHeader } : headers;
  const names = Object.keys(allHeaders ?? {});
  const hasKey = keepsKey || isKeyed;
  const noted = listsPeople ? noteLists(() => app.readTraces, listsPeople, handler) : handler;
  const plain = csv ? jsonOrFile(noted, csv) : noted;
  const asKeyed = { operation: id, returnsSecret, isOneTransaction: !actsOutside, keeps };
  const run = isKeyed ? keyed(() => app.requestKeys, asKeyed, plain) : plain;
  const options = {
    method,
    url: path === '/' ? '' : path,
    config: { access, ...config, ...(media && { [media]: true }) },
    bodyLimit,
    attachValidation,
    ...(formerQuery && { preHandler: renameQuery(formerQuery) }),
    preValidation: [...(names.length > 0 ? [restoreTexts(names)] : []), ...[preValidation ?? []].flat()],
    schema: {
      operationId: id,
      summary,
      description,
      ...(params && { params }),
      ...(query && { querystring: formerQuery ? withFormerQuery(query, formerQuery) : query }),
      ...(access !== 'self' && {
        headers: headersOf(media === 'html', { ...allHeaders, ...(changesVersion && IfMatchHeader) }),
      }),
      ...(body && { body: bodyOf(body, config.bodyIsOptional, ignores) }),
      response: {
        [status]: withHeaders(response, { ...(hasKey && ReplayedHeader), ...(isVersioned && VersionHeader) }),
        ...problems(
          ...errorsOf(method, path),
          ...(isKeyed ? [409, 422] : keepsKey && body ? [422] : []),
          ...(changesVersion ? [412] : []),
          ...(fails ?? []),
        ),
      },
    },
    handler: status === 200 ? run : withStatus(status, run),
  } as unknown as RouteOptions;
  const former = formerly ? [formerRoute(options, app.prefix + path, formerly)] : [];
  for (const one of [options, ...former]) app.route(one);
}

function withHeaders(response: object, headers: object): object {
  return Object.keys(headers).length === 0 ? response : { headers, ...response };
}

function jsonOrFile<Request extends FastifyRequest, Result>(
  handler: (request: Request, reply: FastifyReply) => Result,
  { exports, file }: CsvResponse<Request>,
) {
  return (request: Request, reply: FastifyReply) => {
    if (!asksForCsv(request)) return handler(request, reply);
    const { bom } = request.query as { bom: boolean };
    return sendCsv(reply, { ...file(request, exports.databaseFor(request)), hasByteOrderMark: bom }, exports);
  };
}

function withStatus<Request>(status: number, handler: (request: Request, reply: FastifyReply) => unknown) {
  if (status !== 204) return (request: Request, reply: FastifyReply) => handler(request, reply.code(status));
  return async (request: Request, reply: FastifyReply) => {
    await handler(request, reply);
    return reply.code(204).send(null);
  };
}

/** What every operation can answer with; 404 where the path names something, 413 and 415 where a body can be sent. */
function errorsOf(method: string, path: string): number[] {
  const missing = path.includes(':') ? [404] : [];
  const unreadable = method === 'GET' ? [] : [413, 415];
  return [400, 401, 403, ...missing, 406, ...unreadable, 429, 500, 503];
}

/** A page that a browser opens has the workspace in its address. */
function headersOf(isPage: boolean, more: TProperties = {}): TSchema {
  const headers = Type.Object({ ...WorkspaceHeader, ...more });
  return isPage ? Type.Partial(headers) : headers;
}

function bodyOf(body: TSchema, isOptional = false, ignores = false): TSchema {
  if (!('$id' in body)) return body;
  const marks = { ...(isOptional && { [optionalBody]: true }), ...(ignores && { [ignoresUnknown]: true }) };
  return Object.assign(ref(body as NamedSchema), marks);
}

function restoreTexts(names: readonly string[]) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    for (const name of names) restoreHeaderText(request, name);
    done();
  };
}
