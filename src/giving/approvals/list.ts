import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { Approval, ApprovalPage, ApprovalQuery, OrderApproval } from '../../ground/contract/approval.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { listWaitingShoutouts, readShoutouts } from '../recognition/read.ts';
import { type Deciders, deciderOf, readDeciders, whoIsAsked } from './deciders.ts';
import { type ApprovalRow, allParties, approvalOf, findWaitingFor, readApprovalRows, type WaitingKey } from './read.ts';
import { standsForRequest } from './requests.ts';

/** Who reads approvals. An operator is no member. */
export type ApprovalReader = Pick<WorkspaceGrant, 'workspaceId' | 'role' | 'scopes' | 'onlyReportsOf'> & {
  memberId: number | null;
};

/** What waits for the caller, or all, orders and shoutouts together, the oldest first; or what was decided, the newest first. */
export async function listApprovals(
  on: Queryable,
  reader: ApprovalReader,
  { state, mine, sent, ...page }: ApprovalQuery,
): Promise<ApprovalPage> {
  const own = mine || !seesAll(reader) ? reader.memberId : null;
  const deciders = await readDeciders(on, reader.workspaceId);
  if (sent) return listFrom(on, reader, deciders, sentBy, state, reader.memberId ?? 0, page);
  return state === 'WAITING'
    ? listWaiting(on, reader, deciders, own, page)
    : listFrom(on, reader, deciders, own === null ? byAll : decidedBy, state, own, page);
}

/** More than this many are not counted, except those of the pages before: a count would take longer with each decision. */
const mostCounted = 1_000;

function mostRead({ page, size }: Page): number {
  return Math.max(mostCounted, (page + 1) * size) + 1;
}

interface Keys<Key> {
  /** At most as many as are counted. */
  total: number;
  /** The first of them, as many as the page needs. */
  keys: readonly Key[];
}

/** `own`: the member whose approvals alone are listed; null: those of all. */
async function listWaiting(
  on: Queryable,
  reader: ApprovalReader,
  deciders: Deciders,
  own: number | null,
  page: Page,
): Promise<ApprovalPage> {
  const { workspaceId, memberId } = reader;
  const end = (page.page + 1) * page.size;
  const most = mostRead(page);
  const orders =
    own !== null
      ? await waitingFor(on, workspaceId, deciders, own, most)
      : await queryOne<Keys<WaitingKey>>(on, allWaitingSql, [workspaceId, end, most]);
  const scope = own === null ? 'recognition:read' : 'recognition:approve';
  const shoutouts = reader.scopes.includes(scope)
    ? await listWaitingShoutouts(on, reader, own !== null, end)
    : { total: 0, keys: [] };
  const shown = [
    ...orders.keys.map(({ requestId, since }) => ({ at: Date.parse(since), requestId, number: null })),
    ...shoutouts.keys.map(({ number, since }) => ({ at: Date.parse(since), requestId: null, number })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(page.page * page.size, end);
  const byId = await readPage(
    on,
    reader,
    deciders,
    shown.flatMap(({ requestId }) => requestId ?? []),
  );
  const given = await readShoutouts(
    on,
    workspaceId,
    shown.flatMap(({ number }) => (number === null || memberId === null ? [] : [{ number, self: memberId }])),
  );
  const approvals = shown.flatMap(({ requestId }): Approval[] => {
    if (requestId !== null) return [byId.get(requestId) ?? []].flat();
    const shoutout = given.shift();
    return shoutout ? [{ kind: 'SHOUTOUT', askedAt: shoutout.createdAt, order: null, shoutout }] : [];
  });
  return { ...countedFields(page, orders.total + shoutouts.total, orders.total === most), approvals };
}

function countedFields(page: Page, total: number, isMinimum: boolean) {
  return { ...pageFields(page, total), ...(isMinimum && { totalIsMinimum: true }) };
}

async function waitingFor(
  on: Queryable,
  workspaceId: number,
  deciders: Deciders,
  memberId: number,
  most: number,
): Promise<Keys<WaitingKey>> {
  const keys = await findWaitingFor(on, workspaceId, deciders, deciderOf(deciders, memberId), most);
  return { total: keys.length, keys };
}

const allWaitingSql = `
  select (select count(*)
            from (select from order_approvals a where workspace_id = $1 and state = 'WAITING' and ${standsForRequest('a')} limit $3::bigint) counted) as total,
         (select coalesce(json_agg(json_build_object('requestId', a.request_id, 'since', a.since) order by a.since, a.request_id), '[]')
            from (select request_id, since
                    from order_approvals a
                   where workspace_id = $1
                     and state = 'WAITING'
                     and ${standsForRequest('a')}
                   order by since, request_id
                   limit $2::bigint) a) as keys`;

/** A page of orders in a state, the newest first. `of`: whose orders `from` lists; null: those of all. */
async function listFrom(
  on: Queryable,
  reader: ApprovalReader,
  deciders: Deciders,
  from: string,
  state: OrderApproval['state'],
  of: number | null,
  page: Page,
): Promise<ApprovalPage> {
  const { total, keys } = await queryOne<Keys<string>>(on, newestSql(from), [
    reader.workspaceId,
    state,
    page.page * page.size,
    page.size,
    mostRead(page),
    ...(of === null ? [] : [recordsOfPerson(deciders, of)]),
  ]);
  const byId = await readPage(on, reader, deciders, keys);
  const approvals = keys.flatMap((requestId) => byId.get(requestId) ?? []);
  return { ...countedFields(page, total, total === mostRead(page)), approvals };
}

function recordsOfPerson(deciders: Deciders, memberId: number): number[] {
  const self = deciderOf(deciders, memberId);
  return [self, memberId, ...[...deciders.merged].flatMap(([id, into]) => (into === self ? [id] : []))];
}

const listed = standsForRequest('order_approvals');
const byAll = `order_approvals where workspace_id = $1 and state = $2 and ${listed}`;
const sentBy = `order_approvals where workspace_id = $1 and sender_id = any($6::bigint[]) and state = $2 and ${listed}`;
const decidedBy = `(select distinct request_id from order_decisions where workspace_id = $1 and decided_by = any($6::bigint[])) own
           join order_approvals on workspace_id = $1 and order_approvals.request_id = own.request_id and state = $2 and ${listed}`;

const newestSql = (from: string) => `
  select (select count(*) from (select from ${from} limit $5::bigint) counted) as total,
         array(select order_approvals.request_id
                 from ${from}
                order by since desc, order_approvals.request_id desc
               offset $3::bigint
                limit $4::bigint) as keys`;

/** Orders by requestId. */
async function readPage(
  on: Queryable,
  { workspaceId, onlyReportsOf }: ApprovalReader,
  deciders: Deciders,
  requestIds: readonly string[],
): Promise<Map<string, Approval>> {
  const rows = requestIds.length === 0 ? [] : await readApprovalRows(on, workspaceId, requestIds);
  const seesPeople = onlyReportsOf === null;
  return new Map(
    rows.map((row) => {
      const order = approvalOf(row, deciders, seesPeople);
      return [row.requestId, { kind: 'ORDER', askedAt: order.askedAt, order, shoutout: null }];
    }),
  );
}

/** One order's approval. Those who do not see all orders see those that they sent, are asked about, or have decided. */
export async function findApproval(on: Queryable, reader: ApprovalReader, requestId: string): Promise<OrderApproval> {
  const [row] = await readApprovalRows(on, reader.workspaceId, [requestId]);
  const deciders = await readDeciders(on, reader.workspaceId);
  if (!row || !maySee(reader, row, deciders)) throw noApproval(requestId);
  return approvalOf(row, deciders, reader.onlyReportsOf === null);
}

export function maySee(reader: ApprovalReader, row: ApprovalRow, deciders: Deciders): boolean {
  if (seesAll(reader)) return true;
  if (reader.memberId === null) return false;
  const self = deciderOf(deciders, reader.memberId);
  // Also those whom another approver came before: they learn who decided.
  const asked = row.levels.slice(0, row.level).flatMap((_, nth) => {
    return whoIsAsked(deciders, { ...row, parties: allParties(row), level: nth + 1, approvedBy: [] }).asked;
  });
  const others = [...asked, ...row.decisions.flatMap(({ by }) => by ?? []), row.sender];
  return others.some(({ id }) => deciderOf(deciders, id) === self);
}

export function noApproval(requestId: string): Failure {
  return new Failure('missing', `No order ${requestId} of this workspace waits for approval, or did.`);
}

/** Whether the caller sees the orders of all people. */
function seesAll({ scopes, onlyReportsOf }: ApprovalReader): boolean {
  return scopes.includes('orders:read') && onlyReportsOf === null;
}
