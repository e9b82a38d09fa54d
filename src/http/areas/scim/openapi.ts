import type { FastifySchema } from 'fastify';
import Type, { type TSchema } from 'typebox';
import { ref } from '../../../contract/schema.ts';
import {
  ScimError,
  ScimGroup,
  ScimGroupList,
  ScimList,
  ScimPatch,
  ScimSearchRequest,
  ScimUser,
  ScimUserList,
} from '../../../contract/scim.ts';
import { meanings } from '../../openapi.ts';

export type ScimMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

const kinds = {
  Users: { one: 'user', resource: ref(ScimUser), list: ref(ScimUserList) },
  Groups: { one: 'group', resource: ref(ScimGroup), list: ref(ScimGroupList) },
};
const verbs = { GET: 'Get', POST: 'Create', PUT: 'Replace', PATCH: 'Change', DELETE: 'Remove' };

const common = [400, 401, 403, 429, 500, 503];
const writing = [409, 413, 415];

/** What the OpenAPI document says about a route. The requests are checked by the rules of SCIM, not by these schemas. */
export function describeScim(method: ScimMethod, url: string): FastifySchema {
  const [, name = '', id] = url.split('/');
  if (url.endsWith('/.search')) return search(name);
  const kind = kinds[name as keyof typeof kinds];
  if (!kind) return discovery(name, id !== undefined);
  const isList = method === 'GET' && id === undefined;
  const statuses = [...common];
  if (id !== undefined) statuses.push(404);
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') statuses.push(...writing);
  if (method === 'PUT' || method === 'PATCH' || method === 'DELETE') statuses.push(412);
  return {
    ...described(`scim${verbs[method]}${isList ? name : capital(kind.one)}`),
    summary: isList ? `List ${name.toLowerCase()}` : `${verbs[method]} a ${kind.one}`,
    description: isList
      ? 'A filter as RFC 7644 has it; startIndex counts from 1.'
      : `A ${kind.one} as RFC 7643 has it, in the workspace of the token.`,
    ...(id !== undefined && { params: Type.Object({ id: Type.String({ examples: ['17'] }) }) }),
    ...(method === 'GET' && { querystring: isList ? ListQuery : Projection }),
    ...((method === 'POST' || method === 'PUT') && { body: scimContent(kind.resource) }),
    ...(method === 'PATCH' && { body: scimContent(ref(ScimPatch)) }),
    response: {
      ...success(method, isList ? kind.list : kind.resource, name === 'Groups'),
      ...failures(statuses),
    },
  };
}

const Projection = Type.Object({
  attributes: Type.Optional(Type.String({ description: 'Only these, with commas.' })),
  excludedAttributes: Type.Optional(Type.String({ description: 'All but these, with commas.', examples: ['members'] })),
});

const ListQuery = Type.Object({
  filter: Type.Optional(Type.String({ examples: ['userName eq "ada@example.com"'] })),
  startIndex: Type.Optional(Type.Integer({ default: 1 })),
  count: Type.Optional(Type.Integer({ default: 100, description: 'At most 1,000; 0 for the total alone.' })),
  ...Projection.properties,
});

function search(name: string): FastifySchema {
  const kind = kinds[name as keyof typeof kinds];
  return {
    ...described(`scimSearch${kind ? name : 'All'}`),
    summary: kind ? `Search ${name.toLowerCase()}` : 'Search users and groups',
    description:
      'The same as a list, with what it asks for in the body: for filters that are long, or must not be logged.',
    body: scimContent(ref(ScimSearchRequest)),
    response: {
      200: { description: 'What was found.', ...scimContent(kind ? kind.list : ref(ScimList)) },
      ...failures([...common, 413, 415]),
    },
  };
}

function discovery(name: string, isOne: boolean): FastifySchema {
  return {
    ...described(`scimGet${name}${isOne ? 'ById' : ''}`),
    summary: isOne ? `One of ${name}` : name,
    description: 'What a client has to know before it begins, as RFC 7643 has it.',
    ...(isOne && { params: Type.Object({ id: Type.String({ examples: ['User'] }) }) }),
    response: {
      200: { description: 'The document.', ...scimContent(Type.Object({}, { additionalProperties: true })) },
      ...failures(isOne ? [...common, 404] : common),
    },
  };
}

function described(operationId: string) {
  return { operationId, tags: ['SCIM'] };
}

function success(method: ScimMethod, schema: TSchema, isGroup: boolean): Record<number, unknown> {
  const done = { 204: { description: 'Done.', type: 'null' } };
  if (method === 'DELETE') return done;
  const answered = { description: 'As it stands now.', ...scimContent(schema) };
  if (method === 'POST') return { 201: answered };
  return { 200: answered, ...(method === 'PATCH' && isGroup && done) };
}

function failures(statuses: readonly number[]): Record<number, unknown> {
  const entries = statuses.map((status) => [status, { description: meanings[status], ...scimContent(ref(ScimError)) }]);
  return Object.fromEntries(entries);
}

function scimContent(schema: TSchema) {
  return { content: { 'application/scim+json': { schema } } };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
