import assert from 'node:assert/strict';
import { addMembers } from '../../src/company/directory/save.ts';
import { lockWorkspace } from '../../src/company/workspaces/lock.ts';
import type { TestService } from './service.ts';
import { openWorkspace, type TestWorkspace } from './workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads answers whose shape it is there to find out.
type Json = any;

export interface ScimAnswer {
  status: number;
  headers: Headers;
  body: Json;
}

export interface ScimClient {
  workspaceId: number;
  token: string;
  get(path: string, headers?: Record<string, string>): Promise<ScimAnswer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  put(path: string, body: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** A PATCH with these operations. */
  patch(path: string, operations: unknown[], headers?: Record<string, string>): Promise<ScimAnswer>;
  delete(path: string, headers?: Record<string, string>): Promise<ScimAnswer>;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
  /** What a filter finds. */
  find(resource: 'Users' | 'Groups', filter: string): Promise<Json[]>;
  /** Creates a user and returns the resource. */
  addUser(user: Record<string, unknown>): Promise<Json>;
}

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const giftwire = 'urn:ietf:params:scim:schemas:extension:giftwire:2.0:User';
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** A workspace in which an identity provider keeps people, and others send gifts and shoutouts. */
export async function openWithScim(service: TestService): Promise<{ workspace: TestWorkspace; scim: ScimClient }> {
  const workspace = await openWorkspace(service);
  return { workspace, scim: await connectScim(service, workspace.id) };
}

/** A SCIM client for a workspace, a new one by default. It sends no header but its token. */
export async function connectScim(service: TestService, existing?: number): Promise<ScimClient> {
  const workspaceId = existing ?? (await service.addWorkspace());
  const { token } = await service.addToken({ workspaces: [workspaceId], scopes: ['directory:write'] });
  const send: ScimClient['send'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${service.url}/scim/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (text !== '') assert.match(response.headers.get('content-type') ?? '', /^application\/scim\+json/);
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  };
  const client: ScimClient = {
    workspaceId,
    token,
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, Operations, headers) => send('PATCH', path, { schemas: [patchSchema], Operations }, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    async find(resource, filter) {
      const { status, body } = await send('GET', `/${resource}?filter=${encodeURIComponent(filter)}`);
      assert.equal(status, 200, `${filter}: ${JSON.stringify(body)}`);
      assert.equal(body.totalResults, body.Resources.length, filter);
      return body.Resources;
    },
    async addUser(user) {
      const { status, body } = await send('POST', '/Users', { schemas: [userSchema, enterprise], ...user });
      assert.equal(status, 201, JSON.stringify(body));
      return body;
    },
  };
  return client;
}

/** A refusal in the form that SCIM gives errors. */
export function assertScimError({ status, body, headers }: ScimAnswer, expected: number, scimType?: string): void {
  assert.equal(status, expected, JSON.stringify(body));
  assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/);
  assert.deepEqual(Object.keys(body), ['schemas', 'status', ...(scimType ? ['scimType'] : []), 'detail']);
  assert.deepEqual(body.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.equal(body.status, String(expected));
  assert.equal(body.scimType, scimType);
  assert.match(body.detail, /^[A-Za-z].{15,}/);
}

/** Adds people directly, as if the identity provider did not know them. */
export function addPeople(
  { database }: TestService,
  { workspaceId }: ScimClient,
  people: Parameters<typeof addMembers>[2],
): Promise<number[]> {
  return database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    return addMembers(tx, workspaceId, people);
  });
}
