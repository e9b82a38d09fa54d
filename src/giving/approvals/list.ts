import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { Approval, ApprovalPage, ApprovalQuery, OrderApproval } from '../../ground/contract/approval.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { type Page, pageFields } from '../../ground/values/page.ts';
import { listWaitingShoutouts, readShoutouts } from '../recognition/read.ts';
import { type Deciders, deciderOf, readDeciders, whoIsAsked } from './deciders.ts';
import { type ApprovalRow, allParties, approvalOf, findWaitingFor, readApprovalRows, type WaitingKey } from './read.ts';

/** What waits for the caller, or all, orders and shoutouts together, the oldest first; or what was decided, the newest first. */
export async function listApprovals(
  on: Queryable,
  workspace: WorkspaceGrant,
  { state, mine, ...page }: ApprovalQuery,
): Promise<ApprovalPage> {
  const onlyMine = mine || !seesAll(workspace);
  const deciders = await readDeciders(on, workspace.workspaceId);
  return state === 'WAITING'
    ? listWaiting(on, workspace, deciders, onlyMine, page)
    : listDecided(on, workspace, deciders, state, onlyMine, page);
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

async function listWaiting(
  on: Queryable,
  workspace: WorkspaceGrant,
  deciders: Deciders,
  onlyMine: boolean,
  page: Page,
): Promise<ApprovalPage> {
  const { workspaceId, memberId } = workspace;
  const end = (page.page + 1) * page.size;
  const most = mostRead(page);
  const orders = onlyMine
    ? await waitingForSelf(on, workspace, deciders, most)
    : await queryOne<Keys<WaitingKey>>(on, allWaitingSql, [workspaceId, end, most]);
  const scope = onlyMine ? 'recognition:approve' : 'recognition:read';
  const shoutouts = workspace.scopes.includes(scope)
    ? await listWaitingShoutouts(on, workspaceId, onlyMine ? memberId : null, end)
    : { total: 0, keys: [] };
  const shown = [
    ...orders.keys.map(({ requestId, since }) => ({ at: Date.parse(since), requestId, number: null })),
    ...shoutouts.keys.map(({ number, since }) => ({ at: Date.parse(since), requestId: null, number })),
  ]
    .sort((a, b) => a.at - b.at)
    .slice(page.page * page.size, end);
  const byId = await readPage(
    on,
    workspace,
    deciders,
    shown.flatMap(({ requestId }) => requestId ?? []),
  );
  const given = await readShoutouts(
    on,
    workspaceId,
    shown.flatMap(({ number }) => (number === null ? [] : [{ number, self: memberId }])),
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

async function waitingForSelf(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  deciders: Deciders,
  most: number,
): Promise<Keys<WaitingKey>> {
  const keys = await findWaitingFor(on, workspaceId, deciders, deciderOf(deciders, memberId), most);
  return { total: keys.length, keys };
}

const allWaitingSql = `
  select (select count(*)
            from (select from order_approvals where workspace_id = $1 and state = 'WAITING' limit $3::bigint) counted) as total,
         (select coalesce(json_agg(json_build_object('requestId', a.request_id, 'since', a.since) order by a.since, a.request_id), '[]')
            from (select request_id, since
                    from order_approvals
                   where workspace_id = $1
                     and state = 'WAITING'
                   order by since, request_id
                   limit $2::bigint) a) as keys`;

async function listDecided(
  on: Queryable,
  workspace: WorkspaceGrant,
  deciders: Deciders,
  state: OrderApproval['state'],
  onlyMine: boolean,
  page: Page,
): Promise<ApprovalPage> {
  const { workspaceId, memberId } = workspace;
  const self = deciderOf(deciders, memberId);
  const records = [self, memberId, ...[...deciders.merged].flatMap(([id, into]) => (into === self ? [id] : []))];
  const { total, keys } = await queryOne<Keys<string>>(on, decidedSql(onlyMine), [
    workspaceId,
    state,
    page.page * page.size,
    page.size,
    mostRead(page),
    ...(onlyMine ? [records] : []),
  ]);
  const byId = await readPage(on, workspace, deciders, keys);
  const approvals = keys.flatMap((requestId) => byId.get(requestId) ?? []);
  return { ...countedFields(page, total, total === mostRead(page)), approvals };
}

const decidedSql = (onlyMine: boolean) => {
  const decided = onlyMine
    ? `(select distinct request_id from order_decisions where workspace_id = $1 and decided_by = any($6::bigint[])) own
           join order_approvals on workspace_id = $1 and order_approvals.request_id = own.request_id and state = $2`
    : `order_approvals where workspace_id = $1 and state = $2`;
  return `
  select (select count(*) from (select from ${decided} limit $5::bigint) counted) as total,
         array(select order_approvals.request_id
                 from ${decided}
                order by since desc, order_approvals.request_id desc
               offset $3::bigint
                limit $4::bigint) as keys`;
};

/** Orders by requestId. */
async function readPage(
  on: Queryable,
  workspace: WorkspaceGrant,
  deciders: Deciders,
  requestIds: readonly string[],
): Promise<Map<string, Approval>> {
  const rows = requestIds.length === 0 ? [] : await readApprovalRows(on, workspace.workspaceId, requestIds);
  const seesPeople = workspace.onlyReportsOf === null;
  return new Map(
    rows.map((row) => {
      const order = approvalOf(row, deciders, seesPeople);
      return [row.requestId, { kind: 'ORDER', askedAt: order.askedAt, order, shoutout: null }];
    }),
  );
}

/** One order's approval. Those who do not see all orders see those that they sent, are asked about, or have decided. */
export async function findApproval(
  on: Queryable,
  workspace: WorkspaceGrant,
  requestId: string,
): Promise<OrderApproval> {
  const [row] = await readApprovalRows(on, workspace.workspaceId, [requestId]);
  const deciders = await readDeciders(on, workspace.workspaceId);
  if (!row || !maySee(workspace, row, deciders)) throw noApproval(requestId);
  return approvalOf(row, deciders, workspace.onlyReportsOf === null);
}

export function maySee(workspace: WorkspaceGrant, row: ApprovalRow, deciders: Deciders): boolean {
  if (seesAll(workspace)) return true;
  const self = deciderOf(deciders, workspace.memberId);
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
function seesAll({ scopes, onlyReportsOf }: WorkspaceGrant): boolean {
  return scopes.includes('orders:read') && onlyReportsOf === null;
}
