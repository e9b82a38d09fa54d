import { shownName } from '../../company/directory/names.ts';
import { hasEmail, isSurvivor, survivorOf } from '../../company/directory/who.ts';
import type { OrderApproval } from '../../ground/contract/approval.ts';
import type { RuleLevel } from '../../ground/contract/rule.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { noteOf } from '../orders/order-body.ts';
import { canBeAsked, type Deciders, readDeciders, whoIsAsked } from './deciders.ts';
import { managerOf } from './judge.ts';
import { foundParties, personKeys, requestOf } from './parties.ts';
import { isAsked } from './requests.ts';

/** What decides who is asked about an order. */
export interface AskedRow {
  requestId: string;
  state: OrderApproval['state'];
  levels: RuleLevel[];
  level: number;
  managerId: number | null;
  /** The people who sent, requested or retried it. */
  parties: number[];
  /** The people who receive a gift of it. */
  receivers: number[];
  /** The people who approved it at an earlier level. */
  approvedBy: number[];
}

/** An order that waits or was decided. */
export interface ApprovalRow extends AskedRow {
  rule: OrderApproval['rule'];
  days: number;
  since: Date;
  dueAt: Date;
  sender: OrderApproval['sender'];
  decisions: OrderApproval['decisions'];
  customerRequestId: string | null;
  traceparent: string | null;
  gifts: number;
  total: number;
  currency: string;
  note: string | null;
  byAutomation: boolean;
  recipient: string;
  /** The name that the directory has for that address; null: it has none. */
  knownAs: string | null;
  message: string;
  /** The request that it is a part of; null: it is one alone. */
  together: Together | null;
}

/** Orders that are asked about together, and are in the same state. */
interface Together {
  batch: string;
  name: string | null;
  expected: number;
  isOpen: boolean;
  requestIds: string[];
  gifts: number;
  total: number;
}

/** One order's approval; null if no rule asked for one. `seesPeople`: whether the reader may learn who the recipients are. */
export async function readApproval(
  on: Queryable,
  workspaceId: number,
  requestId: string,
  seesPeople: boolean,
): Promise<OrderApproval | null> {
  const [row] = await readApprovalRows(on, workspaceId, [requestId]);
  return row ? approvalOf(row, await readDeciders(on, workspaceId), seesPeople) : null;
}

export function readApprovalRows(
  on: Queryable,
  workspaceId: number,
  requestIds: readonly string[],
): Promise<ApprovalRow[]> {
  return on.query<ApprovalRow>(rowsSql, [workspaceId, requestIds]);
}

/** Who may decide now. For a reader who may not learn who the recipients are, they are not left out. */
export function askedAbout(
  row: AskedRow,
  deciders: Deciders,
  seesPeople = true,
): Pick<OrderApproval, 'asked' | 'ownersAsked'> {
  if (row.state !== 'WAITING') return { asked: [], ownersAsked: false };
  return whoIsAsked(deciders, { ...row, parties: seesPeople ? allParties(row) : row.parties });
}

export function allParties({ parties, receivers }: AskedRow): number[] {
  return [...parties, ...receivers];
}

export function approvalOf(row: ApprovalRow, deciders: Deciders, seesPeople = true): OrderApproval {
  const { requestId, state, rule, level, since, dueAt, sender, customerRequestId } = row;
  const { gifts, total, currency, note, byAutomation, message } = row;
  return {
    requestId,
    state,
    rule,
    askedAt: since.toISOString(),
    decideBy: dueAt.toISOString(),
    level,
    levels: row.levels.length,
    ...askedAbout(row, deciders, seesPeople),
    decisions: row.decisions.map((one) => ({ ...one, at: new Date(one.at).toISOString() })),
    customerRequestId,
    sender,
    gifts,
    total,
    currency,
    note,
    byAutomation,
    recipient: (seesPeople && row.knownAs) || row.recipient,
    message,
    batch: row.together && batchOf(row.together),
  };
}

function batchOf({
  batch: id,
  name,
  expected: orders,
  isOpen,
  requestIds,
  gifts,
  total,
}: Together): OrderApproval['batch'] {
  return { id, name, orders, isComplete: !isOpen, requestIds, gifts, total };
}

const nameOf = (alias: string) => `coalesce(nullif(${shownName(alias)}, ''), ${alias}.email, '')`;

const askedColumns = `
         a.request_id as "requestId", a.state, a.levels, a.level,
         ${managerOf('$1', 'r.sender_id')} as "managerId",
         coalesce(f.askers, '{}')::float8[]     as parties,
         coalesce(f.recipients, '{}')::float8[] as receivers,
         coalesce(f.approvers, '{}')::float8[]  as "approvedBy"`;

const asked = `
    from asked a
    join order_requests r     on r.workspace_id = $1 and r.request_id = a.request_id
    left join found_parties f on f.request = ${requestOf('a')}`;

/** In no order. */
const rowsSql = `
  with ${personKeys},
  asked as materialized (
    select * from order_approvals where workspace_id = $1 and request_id = any($2::uuid[])
  ),
  ${foundParties}
  select ${askedColumns},
         json_build_object('id', a.rule_id, 'name', a.rule_name) as rule,
         a.days, a.since, a.due_at as "dueAt", a.gifts, a.total,
         json_build_object('id', r.sender_id, 'name', r.sender_name) as sender,
         (select coalesce(json_agg(json_build_object(
                   'level', d.level, 'decision', d.decision, 'comment', d.comment, 'at', d.decided_at,
                   'by', case when m.id is not null then json_build_object('id', m.id, 'name', ${nameOf('m')}) end)
                 order by d.level), '[]')
            from order_decisions d
            left join members decided_as on decided_as.workspace_id = $1 and decided_as.id = d.decided_by
            left join members m on m.workspace_id = $1 and m.id = ${survivorOf('decided_as')}
           where d.workspace_id = $1 and d.request_id = a.request_id) as decisions,
         r.customer_request_id as "customerRequestId", r.traceparent, r.currency, ${noteOf('r.body')} as note,
         not exists (select from users u where u.id = r.token_id)
           and not exists (select from api_tokens t where t.id = r.token_id) as "byAutomation",
         coalesce(nullif(concat_ws(' ', first.recipient ->> 'firstName', first.recipient ->> 'lastName'), ''),
                  first.recipient ->> 'email', first.recipient ->> 'employeeNumber') as recipient,
         (select nullif(${shownName('known')}, '')
                     from members known
                    where known.workspace_id = $1 and ${isSurvivor('known')} and ${hasEmail('known', "first.recipient ->> 'email'")}
                    limit 1) as "knownAs",
         r.body #>> '{orderItems,0,message}' as message,
         case when a.asked_with is not null then
           (select json_build_object(
                     'batch', coalesce(r.body #>> '{batch,id}', a.asked_with::text), 'name', nullif(r.body #>> '{batch,name}', ''),
                     'expected', request.expected, 'isOpen', request.closed_at is null,
                     'requestIds', json_agg(other.request_id order by not other.is_first, other.request_id),
                     'gifts', sum(other.gifts), 'total', sum(other.total))
              from order_approvals other
              join approval_requests request on request.workspace_id = $1 and request.id = other.asked_with
             where other.workspace_id = $1
               and other.asked_with = a.asked_with
               and other.state = a.state
             group by request.expected, request.closed_at)
         end as together
   ${asked}
   cross join lateral (select r.body #> '{orderItems,0,recipient}' as recipient) first`;

/** A list of waiting orders resumes after this one. */
export interface WaitingKey {
  requestId: string;
  /** With microseconds. */
  since: string;
}

interface WaitingRow extends AskedRow, WaitingKey {
  /** Of the request that the order belongs to. */
  request: string;
}

const batchSize = 1_000;

/**
 * The orders that wait for a person, the oldest first, as many as `most`, of each request the first. It reads what waits for approvers of whom the person can be one, in batches, and no
 * order that was decided.
 */
export async function findWaitingFor(
  on: Queryable,
  workspaceId: number,
  deciders: Deciders,
  self: number,
  most: number,
): Promise<WaitingKey[]> {
  const found: WaitingKey[] = [];
  const requests = new Set<string>();
  const stages = await on.query<Stage>(stagesSql, [workspaceId]);
  const own = stages.filter((stage) => canBeAsked(deciders, stage, self));
  if (own.length === 0) return found;
  for await (const rows of readWaiting(on, workspaceId, own))
    for (const { requestId, since, request, ...row } of rows) {
      if (requests.has(request)) continue;
      if (!askedAbout({ requestId, ...row }, deciders).asked.some(({ id }) => id === self)) continue;
      found.push({ requestId, since });
      requests.add(request);
      if (found.length === most) return found;
    }
  return found;
}

/** What orders wait for: the approvers of a rule, at one level. Many orders have the same. */
type Stage = Pick<AskedRow, 'levels' | 'level'>;

const stagesSql = `
  select distinct levels, level from order_approvals where workspace_id = $1 and state = 'WAITING'`;

/** The orders that wait and that approvers are asked about, or of them those at one of these stages, the oldest first, in batches. */
export async function* readWaiting(
  on: Queryable,
  workspaceId: number,
  stages: readonly Stage[] | null = null,
): AsyncGenerator<WaitingRow[]> {
  const at = stages && JSON.stringify(stages);
  let rows: WaitingRow[];
  let after: WaitingKey = { since: '-infinity', requestId: '00000000-0000-0000-0000-000000000000' };
  do {
    rows = await on.query<WaitingRow>(waitingSql, [workspaceId, after.since, after.requestId, batchSize, at]);
    yield rows;
    after = rows.at(-1) ?? after;
  } while (rows.length === batchSize);
}

const waitingSql = `
  with ${personKeys},
  asked as materialized (
    select *
      from order_approvals a
     where workspace_id = $1
       and state = 'WAITING'
       and ${isAsked('a')}
       and (since, request_id) > ($2::timestamptz, $3::uuid)
       and ($5::jsonb is null or (levels, level) in (select * from jsonb_to_recordset($5::jsonb) as stage (levels jsonb, level int)))
     order by since, request_id
     limit $4
  ),
  ${foundParties}
  select ${askedColumns}, a.since::text as since, ${requestOf('a')} as request
   ${asked}
   order by a.since, not a.is_first, a.request_id`;
