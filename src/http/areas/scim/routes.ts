import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Queryable } from '../../../database/database.ts';
import type { Document } from '../../../scim/attributes.ts';
import {
  findById,
  listResourceTypes,
  listSchemas,
  refuseFilter,
  serviceProviderConfig,
} from '../../../scim/discovery.ts';
import { groupDocument } from '../../../scim/group-rows.ts';
import { createGroup, deleteGroup, findGroup, replaceGroup, updateGroup } from '../../../scim/groups.ts';
import { listResponse, readListQuery, readProjection, readSearchRequest } from '../../../scim/list-query.ts';
import { isWanted, project } from '../../../scim/projection.ts';
import { searchAll, searchGroups, searchUsers } from '../../../scim/search.ts';
import { userDocument } from '../../../scim/user-document.ts';
import { readId } from '../../../scim/user-fields.ts';
import { createUser, deleteUser, findUser, replaceUser, updateUser } from '../../../scim/users.ts';
import { isVersion } from '../../../scim/version.ts';
import { groupBodyBytes, largeMaxValues, userBodyBytes, usualMaxValues } from '../../body-limits.ts';
import { readJsonBody } from '../../json-body.ts';
import { describeScim, type ScimMethod } from './openapi.ts';

export interface ScimRoutesOptions {
  /** Where users and groups are read one by one. */
  lookUps: Queryable;
  /** Where they are written. */
  people: Database;
  /** Where they are searched. */
  reports: Queryable;
}

type RequestParts = { Params: { id: string }; Querystring: Document };
type Request = FastifyRequest<RequestParts>;

type Serve = (
  method: ScimMethod,
  url: string,
  handler: (request: Request, reply: FastifyReply) => Promise<FastifyReply>,
) => void;

export async function scimRoutes(app: FastifyInstance, options: ScimRoutesOptions): Promise<void> {
  readScimBodies(app);
  // The schemas of these routes are for readers: what comes in is checked by what SCIM says of it.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
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
  serveDiscovery(serve);
  serveLists(serve, options);
  serveUsers(serve, options);
  serveGroups(serve, options);
}

function isGroup(url: string): boolean {
  return url.startsWith('/Groups');
}

function serveDiscovery(serve: Serve): void {
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
      const documents = list(baseOf(request));
      return send(reply, listResponse(documents.length, 1, documents));
    });
    serve('GET', `${url}/:id`, async (request, reply) =>
      send(reply, findById(list(baseOf(request)), request.params.id)),
    );
  }
}

/** Lists and searches are the same, asked for in a query or in a body. */
function serveLists(serve: Serve, { reports }: ScimRoutesOptions): void {
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
      return send(reply, listResponse(total, query.startIndex, documents));
    });
}

function serveUsers(serve: Serve, { lookUps, people }: ScimRoutesOptions): void {
  serve('POST', '/Users', async (request, reply) => {
    const row = await createUser(people, workspaceOf(request), request.body);
    return sendResource(request, reply.code(201), userDocument(row, baseOf(request)));
  });
  serve('GET', '/Users/:id', async (request, reply) => {
    const row = await findUser(lookUps, workspaceOf(request), readId(request.params.id));
    return sendResource(request, reply, userDocument(row, baseOf(request)));
  });
  for (const [method, write] of [
    ['PUT', replaceUser],
    ['PATCH', updateUser],
  ] as const)
    serve(method, '/Users/:id', async (request, reply) => {
      const { workspace, id, ifMatch } = targetOf(request);
      const row = await write(people, workspace, id, request.body, ifMatch);
      return sendResource(request, reply, userDocument(row, baseOf(request)));
    });
  serve('DELETE', '/Users/:id', async (request, reply) => {
    const { workspace, id, ifMatch } = targetOf(request);
    await deleteUser(people, workspace, id, ifMatch);
    return reply.code(204).send();
  });
}

function serveGroups(serve: Serve, { lookUps, people }: ScimRoutesOptions): void {
  const sendGroup = async (request: Request, reply: FastifyReply, id: number | null) => {
    const withMembers = isWanted('members', readProjection(request.query));
    const row = await findGroup(lookUps, workspaceOf(request), id, withMembers);
    return sendResource(request, reply, groupDocument(row, baseOf(request)));
  };
  serve('POST', '/Groups', async (request, reply) => {
    const id = await createGroup(people, workspaceOf(request), request.body);
    return sendGroup(request, reply.code(201), id);
  });
  serve('GET', '/Groups/:id', async (request, reply) => sendGroup(request, reply, readId(request.params.id)));
  serve('PUT', '/Groups/:id', async (request, reply) => {
    const { workspace, id, ifMatch } = targetOf(request);
    await replaceGroup(people, workspace, id, request.body, ifMatch);
    return sendGroup(request, reply, id);
  });
  serve('PATCH', '/Groups/:id', async (request, reply) => {
    const { workspace, id, ifMatch } = targetOf(request);
    await updateGroup(people, workspace, id, request.body, ifMatch);
    // A group can have more members than anybody wants back for each step.
    return readProjection(request.query).attributes.length > 0 ? sendGroup(request, reply, id) : reply.code(204).send();
  });
  serve('DELETE', '/Groups/:id', async (request, reply) => {
    const { workspace, id, ifMatch } = targetOf(request);
    await deleteGroup(people, workspace, id, ifMatch);
    return reply.code(204).send();
  });
}

/** SCIM has a media type of its own, and is taken under JSON's too. What comes along with a DELETE is not looked at. */
function readScimBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    ['application/json', 'application/scim+json'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      request.method === 'DELETE' ? undefined : readJsonBody(request, body),
  );
}

function workspaceOf({ caller }: FastifyRequest): number {
  return caller.workspace.workspaceId;
}

/** An id that was never handed out is that of nobody. */
function targetOf(request: Request) {
  return {
    workspace: workspaceOf(request),
    id: readId(request.params.id) ?? 0,
    ifMatch: request.headers['if-match'],
  };
}

/** The address as the caller sees it: a proxy that ends TLS says so. */
function baseOf({ headers }: FastifyRequest): string {
  const isSecure = /^\s*https\b/i.test(String(headers['x-forwarded-proto'] ?? ''));
  return `${isSecure ? 'https' : 'http'}://${headers.host ?? ''}/scim/v2`;
}

function sendResource(request: Request, reply: FastifyReply, document: Document): FastifyReply {
  const { location, version } = document.meta as { location: string; version?: string };
  if (version !== undefined) reply.header('ETag', version);
  const known = request.headers['if-none-match'];
  if (request.method === 'GET' && known !== undefined && version !== undefined && isVersion(known, version))
    return reply.code(304).send();
  if (reply.statusCode === 201) reply.header('Location', location);
  return send(reply, project(document, readProjection(request.query)));
}

function send(reply: FastifyReply, document: Document): FastifyReply {
  return reply.type('application/scim+json; charset=utf-8').serializer(JSON.stringify).send(document);
}
