import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../src/ground/database/database.ts';
import { aPng } from './mails.ts';
import { addressOf, type OpenApiDocument, type Operation, resolve } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every form are built here.
type Json = any;

/** The kinds of records that an id in a path can name, by the beginning of the path. The first that fits counts. */
const kindsByPath = [
  ['/api/v1/orders', 'orders'],
  ['/api/v1/approvals/orders', 'approvals'],
  ['/api/v1/rules', 'rules'],
  ['/api/v1/automations/occurrences', 'occurrences'],
  ['/api/v1/automations', 'automations'],
  ['/api/v1/gifts/redemptions', 'redemptions'],
  ['/api/v1/gifts', 'gifts'],
  ['/api/v1/bulk-actions', 'bulkActions'],
  ['/api/v1/redemptions', 'redemptions'],
  ['/api/v1/budgets', 'budgets'],
  ['/api/v1/pools', 'pools'],
  ['/api/v1/members', 'members'],
  ['/api/v1/custom-fields', 'customFields'],
  ['/api/v1/shoutouts', 'shoutouts'],
  ['/api/v1/reasons', 'reasons'],
  ['/api/v1/events', 'events'],
  ['/api/v1/webhooks', 'webhooks'],
  ['/api/v1/users', 'users'],
  ['/api/v1/tokens', 'tokens'],
  ['/api/v1/outbox', 'outbox'],
  ['/api/v1/me/sessions', 'sessions'],
  ['/api/v1/me/gifts', 'gifts'],
  ['/api/v1/me/shoutouts', 'posts'],
  ['/api/v1/feed/posts', 'posts'],
  ['/api/v1/feed/comments', 'comments'],
  ['/api/v1/feed/moderation', 'feedCases'],
  ['/api/v1/feed/screens', 'feedScreens'],
  ['/api/v1/undo', 'undos'],
  ['/scim/v2/Users', 'members'],
  ['/scim/v2/Groups', 'teams'],
] as const;

export type Kind = (typeof kindsByPath)[number][1];
export type Ids = Readonly<Record<Kind, string>>;

/** The kind of record that the path of an operation names; null if it names none. */
export function kindOf({ path }: Operation): Kind | null {
  if (!/\{(id|requestId|key)\}/.test(path)) return null;
  return kindsByPath.find(([beginning]) => path.startsWith(beginning))?.[1] ?? null;
}

/** An id that no record has. */
export function noIdOf(kind: Kind): string {
  if (kind === 'orders' || kind === 'approvals' || kind === 'undos') return '01a1df76-7923-7084-a702-6abd76aadac6';
  if (kind === 'customFields') return 'fieldOfNoWorkspace';
  return kind === 'events' ? 'evt_1_999999999' : '999999999';
}

/** The latest record of each kind in a workspace, and the first post: a later one may be part of another. Where there is none, an id that no record has. */
export async function readIds(on: Queryable, workspaceId: number): Promise<Ids> {
  const [found] = await on.query<Record<Kind, string | null>>(idsSql, [workspaceId]);
  const kinds = new Set(kindsByPath.map(([, kind]) => kind));
  return Object.fromEntries([...kinds].map((kind) => [kind, found?.[kind] ?? noIdOf(kind)])) as Ids;
}

const idsSql = `
  select (select max(request_id::text) from order_requests where workspace_id = $1)                  as orders,
         (select max(request_id::text) from order_approvals where workspace_id = $1)                 as approvals,
         (select max(id)::text from rules where workspace_id = $1)                                   as rules,
         (select max(id::text) from undos where workspace_id = $1 and kind = 'MEMBER_MERGE' and undone_at is null) as undos,
         (select max(id)::text from automations where workspace_id = $1 and deleted_at is null)      as automations,
         (select max(id)::text from occurrences where workspace_id = $1)                             as occurrences,
         (select max(id)::text from redemptions where workspace_id = $1)                             as redemptions,
         (select max(id)::text from certificates where workspace_id = $1)                            as gifts,
         (select max(id)::text from bulk_actions where workspace_id = $1)                            as "bulkActions",
         (select max(id)::text from budgets where workspace_id = $1 and kind <> 'UNLIMITED' and closed_at is null) as budgets,
         (select max(id)::text from code_pools where workspace_id = $1)                              as pools,
         (select max(id)::text from members
           where workspace_id = $1 and not is_integration and merged_into is null and deprovisioned_at is null) as members,
         (select max(number)::text from activities
           where workspace_id = $1 and type = 'SHOUTOUT' and status = 'PENDING')                     as shoutouts,
         (select min(number)::text from activities
           where workspace_id = $1 and type = 'SHOUTOUT' and status = 'APPROVED' and not is_private)  as posts,
         (select max(id)::text from feed_comments where workspace_id = $1 and hidden_at is null)     as comments,
         (select max(id)::text from feed_cases where workspace_id = $1)                             as "feedCases",
         (select max(id)::text from feed_screens where workspace_id = $1)                           as "feedScreens",
         (select max(key) from custom_fields where workspace_id = $1 and removed_at is null)        as "customFields",
         (select max(id)::text from reasons where workspace_id = $1 and retired_at is null)          as reasons,
         (select 'evt_' || $1 || '_' || max(number) from events where workspace_id = $1)             as events,
         (select max(id)::text from webhooks where workspace_id = $1)                                as webhooks,
         (select max(user_id)::text from user_roles where workspace_id = $1)                         as users,
         (select max(t.id)::text from api_tokens t join api_token_workspaces w on w.token_id = t.id
           where w.workspace_id = $1 and t.revoked_at is null)                                       as tokens,
         (select max(c.id)::text from certificates c
            join mails q on q.workspace_id = c.workspace_id and q.request_id = c.request_id and q.position = c.position
           where c.workspace_id = $1 and q.kind = 'GIFT' and q.state = 'SENT' and q.edition = 0)     as outbox,
         (select max(s.id)::text from sessions s join user_roles r on r.user_id = s.user_id
           where r.workspace_id = $1)                                                                as sessions,
         (select max(t.id)::text from teams t join workspaces w on w.id = t.workspace_id
           where t.workspace_id = $1 and t.id <> w.default_team_id)                                  as teams`;

/** The first media type of a body, with its schema and the example that the reference page shows. */
export function bodyOf(
  document: OpenApiDocument,
  { requestBody }: Operation,
): { type: string; schema: Json; example: Json } | null {
  const [first] = Object.entries(requestBody?.content ?? {});
  if (!first) return null;
  const [type, { schema, example }] = first;
  return { type, schema, example: example ?? resolve(document, schema).examples?.[0] };
}

export interface BuiltRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | null;
}

/** What replaces a part of an example. */
export interface Changes {
  query?: Record<string, string>;
  body?: Json;
}

/** A request for an operation: the examples of the document, with the ids of records. Throws if a part of the path has neither. */
export function requestOf(
  document: OpenApiDocument,
  operation: Operation,
  ids: Ids,
  { query = {}, body: changed }: Changes = {},
): BuiltRequest {
  const { method, path, parameters } = operation;
  const kind = kindOf(operation);
  const inPath = parameters
    .filter((one) => one.in === 'path')
    .map(({ name, example }) => {
      const value = kind !== null && /^(id|requestId|key)$/.test(name) ? ids[kind] : example;
      if (value === undefined) throw new Error(`${method} ${path}: say in test/support/requests.ts what ${name} is`);
      return [name, value];
    });
  const required = parameters.filter((one) => one.required && one.in === 'query');
  const asked = new URLSearchParams({
    ...Object.fromEntries(required.map(({ name, example, schema }) => [name, String(example ?? schema.default)])),
    ...query,
  }).toString();
  const body = bodyOf(document, operation);
  const needsKey = parameters.some(({ name, required: is }) => is && name === 'Idempotency-Key');
  return {
    method,
    path: addressOf(path, Object.fromEntries(inPath)) + (asked && `?${asked}`),
    headers: { ...(body && { 'Content-Type': body.type }), ...(needsKey && { 'Idempotency-Key': randomUUID() }) },
    body: body && bytesOf(body.type, changed ?? body.example ?? {}),
  };
}

function bytesOf(type: string, example: Json): string | Uint8Array<ArrayBuffer> {
  if (type.startsWith('image/')) return new Uint8Array(aPng(120, 40));
  return typeof example === 'string' ? example : JSON.stringify(example);
}
