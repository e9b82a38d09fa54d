import type { FastifySchema } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { examplePerson, ref } from '../../../../ground/contract/schema.ts';
import {
  ScimError,
  ScimGroup,
  ScimGroupList,
  ScimGroupResult,
  ScimList,
  ScimPatch,
  ScimSearchRequest,
  ScimUser,
  ScimUserList,
  ScimUserResult,
} from '../../../../ground/contract/scim.ts';
import { documentError, documentedErrors } from '../../openapi/documented-errors.ts';

export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const kinds = {
  Users: {
    one: 'user',
    resource: ref(ScimUser),
    result: ref(ScimUserResult),
    list: ref(ScimUserList),
    filter: `userName eq "${examplePerson.email}"`,
  },
  Groups: {
    one: 'group',
    resource: ref(ScimGroup),
    result: ref(ScimGroupResult),
    list: ref(ScimGroupList),
    filter: 'displayName eq "Platform"',
  },
};
const verbs = { GET: 'Get', POST: 'Create', PUT: 'Replace', PATCH: 'Change', DELETE: 'Remove' };

const common = [400, 401, 403, 429, 500, 503];
/** A body can be sent with each of them. */
const unreadable = [413, 415];
const changing = new Set<ScimMethod>(['PUT', 'PATCH', 'DELETE']);

/** What the OpenAPI document says about a route. The requests are checked by the rules of SCIM, not by these schemas. */
export function describeScim(method: ScimMethod, url: string): FastifySchema {
  const [, name = '', id] = url.split('/');
  if (url.endsWith('/.search')) return search(name);
  const kind = kinds[name as keyof typeof kinds];
  if (!kind) return discovery(name, id !== undefined);
  const isList = method === 'GET' && id === undefined;
  const statuses = [...common];
  if (id !== undefined) statuses.push(404);
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') statuses.push(409);
  if (method !== 'GET') statuses.push(...unreadable);
  if (changing.has(method)) statuses.push(412);
  return {
    ...described(`scim${verbs[method]}${isList ? name : capital(kind.one)}`),
    summary: isList ? `List ${name.toLowerCase()}` : `${verbs[method]} a ${kind.one}`,
    description: isList
      ? `The ${name.toLowerCase()} of the token's workspace, a page at a time. Filters follow RFC 7644.`
      : `${verbs[method]}s a ${kind.one} of the token's workspace. The resource follows RFC 7643.`,
    ...(id !== undefined && {
      params: Type.Object({ id: Type.String({ description: `The id of the ${kind.one}.` }) }),
    }),
    ...(method !== 'DELETE' && { querystring: isList ? listQuery(kind.filter) : Projection }),
    ...(changing.has(method) && { headers: IfMatch }),
    ...((method === 'POST' || method === 'PUT') && { body: scimContent(kind.resource) }),
    ...(method === 'PATCH' && { body: scimContent(ref(ScimPatch)) }),
    response: {
      ...success(method, isList ? kind.list : kind.result, name === 'Groups', id !== undefined),
      ...failures(statuses),
    },
  };
}

const Projection = Type.Object({
  attributes: Type.Optional(Type.String({ description: 'Return only these attributes, separated by commas.' })),
  excludedAttributes: Type.Optional(
    Type.String({ description: 'Return all attributes but these, separated by commas, for instance members.' }),
  ),
});

const IfMatch = Type.Object({
  'If-Match': Type.Optional(
    Type.String({
      description: 'The ETag of the version to change. If the resource has another version, the answer is 412.',
    }),
  ),
});

function listQuery(filter: string) {
  return Type.Object({
    filter: Type.Optional(Type.String({ examples: [filter] })),
    startIndex: Type.Optional(Type.Integer({ default: 1, description: 'The first result to return, counted from 1.' })),
    count: Type.Optional(
      Type.Integer({ default: 100, description: 'At most 1,000. With 0 only the total is returned.' }),
    ),
    ...Projection.properties,
  });
}

function search(name: string): FastifySchema {
  const kind = kinds[name as keyof typeof kinds];
  return {
    ...described(`scimSearch${kind ? name : 'All'}`),
    summary: kind ? `Search ${name.toLowerCase()}` : 'Search users and groups',
    description:
      'The same as a list, with the query in the body: for filters that are too long for an address or must not be logged.',
    body: scimContent(ref(ScimSearchRequest)),
    response: {
      200: { description: 'The resources that were found.', ...scimContent(kind ? kind.list : ref(ScimList)) },
      ...failures([...common, ...unreadable]),
    },
  };
}

const discoveryIds: Record<string, string> = {
  Schemas: 'urn:ietf:params:scim:schemas:core:2.0:User',
  ResourceTypes: 'User',
};

function discovery(name: string, isOne: boolean): FastifySchema {
  return {
    ...described(`scimGet${name}${isOne ? 'ById' : ''}`),
    summary: isOne ? `Get one of ${name}` : `Get ${name}`,
    description: 'What a SCIM client reads before its first request, as RFC 7643 defines it.',
    ...(isOne && { params: Type.Object({ id: Type.String({ examples: [discoveryIds[name]] }) }) }),
    response: {
      200: { description: 'The document.', ...scimContent(Type.Object({}, { additionalProperties: true })) },
      ...failures(isOne ? [...common, 404] : common),
    },
  };
}

function described(operationId: string) {
  return { operationId, tags: ['SCIM'] };
}

const unchanged = { description: 'If-None-Match names the current version.', type: 'null' };

function success(method: ScimMethod, schema: TSchema, isGroup: boolean, isOne: boolean): Record<number, unknown> {
  const done = { 204: { description: 'Done.', type: 'null' } };
  if (method === 'DELETE') return done;
  const answered = { description: `The ${isGroup ? 'group' : 'user'} as it is now.`, ...scimContent(schema) };
  if (method === 'POST') return { 201: answered };
  if (method === 'GET' && isOne) return { 200: answered, 304: unchanged };
  return { 200: answered, ...(method === 'PATCH' && isGroup && done) };
}

const errorUrn = 'urn:ietf:params:scim:api:messages:2.0:Error';
const scimTypes: Record<number, string> = { 400: 'invalidValue', 409: 'uniqueness' };
/** The examples that differ from those of the API. */
const details: Record<number, string> = {
  400: 'userName is required.',
  403: 'This token lacks the scope directory:write.',
  404: 'There is no user with this id.',
  409: 'Another user already has this userName.',
  413: 'The body is too large: it may have at most 4 MiB.',
};

function failures(statuses: readonly number[]): Record<number, unknown> {
  const entries = statuses.map((status) => {
    const detail = details[status] ?? documentedErrors[status]?.example;
    const scimType = scimTypes[status];
    const example = { schemas: [errorUrn], status: String(status), ...(scimType && { scimType }), detail };
    return [status, documentError(status, 'application/scim+json', ref(ScimError), example)];
  });
  return Object.fromEntries(entries);
}

function scimContent(schema: TSchema) {
  return { content: { 'application/scim+json': { schema } } };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
