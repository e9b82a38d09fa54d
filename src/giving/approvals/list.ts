import type { WorkspaceGrant } from '../../company/access/grants.ts';
import type { Approval, ApprovalPage, ApprovalQuery, OrderApproval } from '../../ground/contract/approval.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { pageFields } from '../../ground/values/page.ts';
import { listShoutouts } from '../recognition/read.ts';
import { type Deciders, deciderOf, readDeciders, whoIsAsked } from './deciders.ts';
import { type ApprovalRow, approvalOf, readApprovalRows, readInState } from './read.ts';

/** Of each kind, the oldest this many are listed. */
const most = 1_000;

/** What waits for the caller, or all: orders and shoutouts in one list, the oldest first. */
export async function listApprovals(
  on: Queryable,
  workspace: WorkspaceGrant,
  { state, mine, ...page }: ApprovalQuery,
): Promise<ApprovalPage> {
  const { workspaceId, memberId } = workspace;
  const onlyMine = mine || !seesAll(workspace);
  const deciders = await readDeciders(on, workspaceId);
  const self = deciderOf(deciders, memberId);
  const records = [self, memberId, ...[...deciders.merged].flatMap(([id, into]) => (into === self ? [id] : []))];
  const rows = await readInState(on, workspaceId, state, onlyMine && state !== 'WAITING' ? records : null);
  const orders = rows
    .map((row) => approvalOf(row, deciders))
    .filter(({ asked }) => !onlyMine || state !== 'WAITING' || asked.some(({ id }) => id === self));
  const shoutouts = state === 'WAITING' ? await waitingShoutouts(on, workspace, onlyMine) : [];
  const all = [...orders.map(ofOrder), ...shoutouts].sort((a, b) => Date.parse(a.since) - Date.parse(b.since));
  const first = page.page * page.size;
  return { ...pageFields(page, all.length), approvals: all.slice(first, first + page.size) };
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
  return approvalOf(row, deciders);
}

export function maySee(workspace: WorkspaceGrant, row: ApprovalRow, deciders: Deciders): boolean {
  if (seesAll(workspace)) return true;
  const self = deciderOf(deciders, workspace.memberId);
  // Also those whom another approver came before: they learn who decided.
  const asked = row.levels.slice(0, row.level).flatMap((_, nth) => {
    return whoIsAsked(deciders, { ...row, level: nth + 1, approvedBy: [] }).asked;
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

/** A person decides no shoutout that they gave or received. */
async function waitingShoutouts(on: Queryable, workspace: WorkspaceGrant, onlyMine: boolean): Promise<Approval[]> {
  if (!workspace.scopes.includes(onlyMine ? 'recognition:approve' : 'recognition:read')) return [];
  const { shoutouts } = await listShoutouts(on, workspace, { status: 'PENDING', page: 0, size: most });
  return shoutouts
    .filter(({ sender, receiver }) => !onlyMine || !(sender.self || receiver.self))
    .map((shoutout) => ({ kind: 'SHOUTOUT', since: shoutout.createdAt, order: null, shoutout }));
}

function ofOrder(order: OrderApproval): Approval {
  return { kind: 'ORDER', since: order.since, order, shoutout: null };
}
