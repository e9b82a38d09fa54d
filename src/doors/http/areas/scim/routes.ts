import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { actorOf } from '../../../../company/access/actor.ts';
import type { ReadTraces } from '../../../../company/access/read-traces.ts';
import { listCustomFields } from '../../../../company/directory/custom-fields.ts';
import type { Document } from '../../../../company/scim/attributes.ts';
import {
  findById,
  listResourceTypes,
  listSchemas,
  refuseFilter,
  serviceProviderConfig,
} from '../../../../company/scim/discovery.ts';
import { groupDocument } from '../../../../company/scim/group-rows.ts';
import { createGroup, deleteGroup, findGroup, replaceGroup, updateGroup } from '../../../../company/scim/groups.ts';
import { listResponse, readListQuery, readProjection, readSearchRequest } from '../../../../company/scim/list-query.ts';
import { isWanted, type Projection, project } from '../../../../company/scim/projection.ts';
import { enterpriseSchema } from '../../../../company/scim/schemas.ts';
import { searchAll, searchGroups, searchUsers } from '../../../../company/scim/search.ts';
import { userDocument } from '../../../../company/scim/user-document.ts';
import { createUser, deleteUser, findUser, replaceUser, updateUser } from '../../../../company/scim/users.ts';
import { isVersion } from '../../../../company/scim/version.ts';
import type { Writer } from '../../../../company/scim/write.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { readId } from '../../../../ground/values/id.ts';
import { largeMaxValues, mebibyte, usualMaxValues } from '../../body/body-limits.ts';
import { notePeople } from '../../callers/note-people.ts';
import { describeScim, type ScimMethod } from './openapi.ts';

export interface ScimOptions {
  /** Reads single users and groups. */
  lookUps: Queryable;
  /** Writes them. */
  people: Database;
  /** Searches them. */
  reports: Queryable;
  traces: ReadTraces;
}

const userBodyBytes = mebibyte;
/** Holds as many members as one request may change, each with its address and name. */
const groupBodyBytes = 4 * mebibyte;

type RequestParts = { Params: { id: string }; Querystring: Document };
type Request = FastifyRequest<RequestParts>;

type Serve = (
  method: ScimMethod,
  url: string,
  handler: (request: Request, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

export async function scimRoutes(app: FastifyInstance, options: ScimOptions): Promise<void> {
  const serve: Serve = (method, url, handler) => {
    app.route<RequestParts>({
      method,
      url,
      config: { access: 'directory:write', maxValues: isGroup(url) ? largeMaxValues : usualMaxValues },
      bodyLimit: isGroup(url) ? groupBodyBytes : userBodyBytes,
      schema: describeScim(method, url),
      handler,
    });
  };
  serveDiscovery(serve, options);
  serveLists(serve, options);
  serveUsers(serve, options);
  serveGroups(serve, options);
}

function isGroup(url: string): boolean {
  return url.startsWith('/Groups');
}

function serveDiscovery(serve: Serve, { lookUps }: ScimOptions): void {
  serve('GET', '/ServiceProviderConfig', async (request, reply) => {
    refuseFilter(request.query);
    return send(reply, serviceProviderConfig(baseOf(request)));
  });
  for (const [url, list] of [
    ['/Schemas', listSchemas],
    ['/ResourceTypes', listResourceTypes],
  ] as const) {
    serve('GET', url, async (request, reply) => {
      refuseFilter(request.query);
      const documents = list(baseOf(request), await listCustomFields(lookUps, workspaceOf(request)));
      return send(reply, listResponse(documents.length, 1, documents));
    });
    serve('GET', `${url}/:id`, async (request, reply) => {
      const documents = list(baseOf(request), await listCustomFields(lookUps, workspaceOf(request)));
      return send(reply, findById(documents, request.params.id));
    });
  }
}

/** A list and a search do the same; one takes its parameters from the query, the other from the body. */
function serveLists(serve: Serve, { reports, traces }: ScimOptions): void {
  // Groups have names of people, and no addresses.
  const note = (request: Request, documents: readonly Document[]) => {
    const people = documents.filter((one) => 'userName' in one || 'emails' in one || enterpriseSchema.id in one);
    notePeople(traces, request, 'people', people.length);
  };
  const placeOf = (request: Request) => ({
    database: reports,
    workspaceId: workspaceOf(request),
    base: baseOf(request),
  });
  for (const [url, search] of [
    ['/Users', searchUsers],
    ['/Groups', searchGroups],
  ] as const)
    serve('GET', url, async (request, reply) => {
      const query = readListQuery(request.query);
      const { total, documents } = await search(placeOf(request), query, readProjection(request.query));
      note(request, documents);
      return send(reply, listResponse(total, query.startIndex, documents));
    });
  for (const [url, search] of [
    ['/.search', searchAll],
    ['/Users/.search', searchUsers],
    ['/Groups/.search', searchGroups],
  ] as const)
    serve('POST', url, async (request, reply) => {
      const { query, projection } = readSearchRequest(request.body);
      const { total, documents } = await search(placeOf(request), query, projection);
      note(request, documents);
      return send(reply, listResponse(total, query.startIndex, documents));
    });
}

/** What the answer shall show is read first: a request that says it wrongly changes nothing. */
function serveUsers(serve: Serve, { lookUps, people }: ScimOptions): void {
  serve('POST', '/Users', async (request, reply) => {
    const projection = readProjection(request.query);
    const row = await createUser(writerOf(request, people), request.body);
    return sendResource(request, reply.code(201), userDocument(row, baseOf(request)), projection);
  });
  serve('GET', '/Users/:id', async (request, reply) => {
    const row = await findUser(lookUps, workspaceOf(request), readId(request.params.id));
    return sendResource(request, reply, userDocument(row, baseOf(request)), readProjection(request.query));
  });
  for (const [method, write] of [
    ['PUT', replaceUser],
    ['PATCH', updateUser],
  ] as const)
    serve(method, '/Users/:id', async (request, reply) => {
      const { id, ifMatch } = targetOf(request);
      const projection = readProjection(request.query);
      const row = await write(writerOf(request, people), id, request.body, ifMatch);
      return sendResource(request, reply, userDocument(row, baseOf(request)), projection);
    });
  serve('DELETE', '/Users/:id', async (request, reply) => {
    const { id, ifMatch } = targetOf(request);
    await deleteUser(writerOf(request, people), id, ifMatch);
    return reply.code(204).send();
  });
}

/** The same for groups. */
function serveGroups(serve: Serve, { lookUps, people }: ScimOptions): void {
  const sendGroup = async (request: Request, reply: FastifyReply, id: number | null, projection: Projection) => {
    const row = await findGroup(lookUps, workspaceOf(request), id, isWanted('members', projection));
    return sendResource(request, reply, groupDocument(row, baseOf(request)), projection);
  };
  serve('POST', '/Groups', async (request, reply) => {
    const projection = readProjection(request.query);
    const id = await createGroup(writerOf(request, people), request.body);
    return sendGroup(request, reply.code(201), id, projection);
  });
  serve('GET', '/Groups/:id', async (request, reply) =>
    sendGroup(request, reply, readId(request.params.id), readProjection(request.query)),
  );
  serve('PUT', '/Groups/:id', async (request, reply) => {
    const { id, ifMatch } = targetOf(request);
    const projection = readProjection(request.query);
    await replaceGroup(writerOf(request, people), id, request.body, ifMatch);
    return sendGroup(request, reply, id, projection);
  });
  serve('PATCH', '/Groups/:id', async (request, reply) => {
    const { id, ifMatch } = targetOf(request);
    const projection = readProjection(request.query);
    await updateGroup(writerOf(request, people), id, request.body, ifMatch);
    // A group can have thousands of members, which a client that adds one does not want back each time.
    return projection.attributes.length > 0 ? sendGroup(request, reply, id, projection) : reply.code(204).send();
  });
  serve('DELETE', '/Groups/:id', async (request, reply) => {
    const { id, ifMatch } = targetOf(request);
    await deleteGroup(writerOf(request, people), id, ifMatch);
    return reply.code(204).send();
  });
}

function writerOf(request: Request, people: Database): Writer {
  return { people, workspaceId: workspaceOf(request), actor: actorOf(request.grant) };
}

function workspaceOf({ caller }: FastifyRequest): number {
  return caller.workspace.workspaceId;
}

/** Text that cannot be an id is 0, which no record has: the answer is a 404. */
function targetOf(request: Request) {
  return {
    id: readId(request.params.id) ?? 0,
    ifMatch: request.headers['if-match'],
  };
}

/** The base address as the caller sees it. A proxy that ends TLS tells us in a header. */
function baseOf({ headers }: FastifyRequest): string {
  const isSecure = /^\s*https\b/i.test(String(headers['x-forwarded-proto'] ?? ''));
  return `${isSecure ? 'https' : 'http'}://${headers.host ?? ''}/scim/v2`;
}

function sendResource(request: Request, reply: FastifyReply, document: Document, projection: Projection): FastifyReply {
  const { location, version } = document.meta as { location: string; version?: string };
  if (version !== undefined) reply.header('ETag', version);
  const known = request.headers['if-none-match'];
  if (request.method === 'GET' && known !== undefined && version !== undefined && isVersion(known, version))
    return reply.code(304).send();
  if (reply.statusCode === 201) reply.header('Location', location);
  return send(reply, project(document, projection));
}

function send(reply: FastifyReply, document: Document): FastifyReply {
  return reply.type('application/scim+json; charset=utf-8').serializer(JSON.stringify).send(document);
}
