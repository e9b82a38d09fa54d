import { addressKey, memberByAddress, memberByNumber, survivorOf } from '../../company/directory/who.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { workspaceOf } from '../../ground/database/one-workspace.ts';
import { addressKey as keyOf } from '../../ground/values/email.ts';
import type { AcceptedOrder, Parties } from '../orders/order-steps.ts';

/*
 * Who may not decide about an order. Accounts, member records and their links change while it waits, so an order keeps everything that
 * tells who a person is as keys: users, members, addresses and employee numbers. At a decision, a person with any of these keys is a
 * party.
 */

type Sent = Pick<AcceptedOrder, 'workspaceId' | 'requestId' | 'tokenId' | 'senderId' | 'order'>;

/**
 * The parties of orders, in their sequence: the sender, the caller, the recipients, and the users who act as one of them. `behind` says which users
 * and tokens are behind the caller of an order, by requestId.
 */
export function findParties(
  tx: Queryable,
  orders: readonly Sent[],
  behind: ReadonlyMap<string, readonly number[]> = new Map(),
): Promise<Parties[]> {
  return findKeys(
    tx,
    orders.map(({ workspaceId, requestId, tokenId, senderId, order }) => {
      const recipients = order.orderItems.map(({ recipient }) => recipient);
      const emails = recipients.flatMap(({ email }) => (email ? [keyOf(email)] : []));
      const numbers = recipients.flatMap(({ email, employeeNumber }) =>
        !email && employeeNumber ? employeeNumber : [],
      );
      return {
        workspaceId,
        callers: [tokenId, ...(behind.get(requestId) ?? [])],
        senderId,
        emails: [...new Set(emails)],
        numbers: [...new Set(numbers)],
      };
    }),
  );
}

/** A person who tries an order again has requested it too, whether a rule holds it now or later. */
export async function noteRetrier(
  tx: Queryable,
  { workspaceId, requestId, senderId }: AcceptedOrder,
  { id: tokenId }: Actor,
): Promise<void> {
  if (tokenId === null) return;
  const [parties] = await findKeys(tx, [{ workspaceId, callers: [tokenId], senderId, emails: [], numbers: [] }]);
  await keepParties(tx, [{ workspaceId, requestId, ...(parties as Parties), origin: null }]);
}

export interface KeptParties extends Parties {
  workspaceId: number;
  requestId: string;
  origin: object | null;
}

/** Adds parties to those that the orders have. The first origin stays. */
export async function keepParties(tx: Queryable, orders: readonly KeptParties[]): Promise<void> {
  await tx.query(keepSql, [JSON.stringify(orders)]);
}

const keepSql = `
  insert into order_parties as p (workspace_id, request_id, askers, recipients, origin)
  select "workspaceId", "requestId", askers, recipients, origin
    from jsonb_to_recordset($1::jsonb) as o ("workspaceId" bigint, "requestId" uuid, askers text[], recipients text[], origin jsonb)
  on conflict (workspace_id, request_id) do update
     set askers     = array(select unnest(p.askers) union select unnest(excluded.askers)),
         recipients = array(select unnest(p.recipients) union select unnest(excluded.recipients)),
         origin     = coalesce(p.origin, excluded.origin)`;

interface Asked {
  workspaceId: number;
  /** Users and tokens. */
  callers: number[];
  senderId: number;
  emails: string[];
  numbers: string[];
}

async function findKeys(tx: Queryable, asked: readonly Asked[]): Promise<Parties[]> {
  if (asked.length === 0) return [];
  const rows = asked.map(({ workspaceId: _one, ...one }, nth) => ({ nth, ...one }));
  const found = await tx.query<Parties & { nth: number }>(keysSql, [workspaceOf(asked), JSON.stringify(rows)]);
  const byOrder = new Map(found.map(({ nth, askers, recipients }) => [nth, { askers, recipients }]));
  return asked.map(({ emails, numbers }, nth) => {
    const { askers = [], recipients = [] } = byOrder.get(nth) ?? {};
    return { askers, recipients: [...recipients, ...emails.map(addressPart), ...numbers.map(numberPart)] };
  });
}

const addressPart = (address: string) => `a:${address}`;
const numberPart = (number: string) => `n:${number}`;

/** The member that a caller acts as. The caller is a token or a user. */
const memberOfCaller = `coalesce(
    (select given.member_id from user_roles given where given.workspace_id = $1 and given.user_id = a.caller),
    (select used.member_id from api_token_workspaces used where used.workspace_id = $1 and used.token_id = a.caller))`;

/** The keys of the CTE `records`, of the workspace $1, each with the columns `of` of its record. Addresses are kept too, because they may become another record's. */
const recordKeys = (of: string) => `select ${of}, 'm:' || id as key from records
     union
    select ${of}, 'a:' || email_key from records where email_key is not null
     union
    select ${of}, 'a:' || ${addressKey('user_name')} from records where user_name is not null
     union
    select ${of}, 'n:' || employee_number from records where employee_number is not null
     union
    select ${of}, 'a:' || f.email_key
      from records r
      join former_addresses f on f.workspace_id = $1::bigint and f.member_id = r.id
     union
    select ${of}, 'a:' || ${addressKey('further.value')}
      from records r
     cross join lateral (select e.value
                           from member_emails e
                          where e.workspace_id = $1::bigint and e.member_id = r.id and e.value is not null) further`;

// No token has the id of a user, so the key of a token's id finds no person.
const keysSql = `
  with asked as materialized (
    select nth, callers, "senderId" as sender_id, emails, numbers
      from jsonb_to_recordset($2::jsonb) as o (nth int, callers bigint[], "senderId" bigint, emails text[], numbers text[])
  ),
  calls as (
    select nth, unnest(callers) as caller from asked
  ),
  named as (
    select nth, true as asks, sender_id as id from asked
     union
    select nth, true, ${memberOfCaller} from calls a
     union
    select nth, false, ${memberByAddress('$1', 'one.email')} from asked a cross join unnest(a.emails) as one (email)
     union
    select nth, false, ${memberByNumber('$1', 'one.number')} from asked a cross join unnest(a.numbers) as one (number)
  ),
  people as materialized (
    select distinct n.nth, n.asks, ${survivorOf('m')} as id
      from named n
      join members m on m.workspace_id = $1 and m.id = n.id
  ),
  records as materialized (
    select p.nth, p.asks, m.id, m.email_key, m.user_name, m.employee_number
      from people p
      join members m on m.workspace_id = $1 and m.id = p.id
     union all
    select p.nth, p.asks, m.id, m.email_key, m.user_name, m.employee_number
      from people p
      join members m on m.workspace_id = $1 and m.merged_into = p.id
  ),
  accounts as (
    select nth, true as asks, caller as id from calls
     union
    select o.nth, o.asks, r.user_id from records o join user_roles r on r.workspace_id = $1 and r.member_id = o.id
  ),
  keys as (
    select nth, true as asks, 'm:' || sender_id as key from asked
     union
    select nth, asks, 'u:' || id from accounts
     union
    select a.nth, a.asks, 'a:' || ${addressKey('u.email')} from accounts a join users u on u.id = a.id
     union
    ${recordKeys('nth, asks')}
  )
  select nth,
         coalesce(array_agg(key) filter (where asks), '{}')     as askers,
         coalesce(array_agg(key) filter (where not asks), '{}') as recipients
    from keys
   group by nth`;

/**
 * The CTE `person_keys`: all keys of the people of the workspace $1 who sign in or have a deputy, as they are now, by the surviving member
 * `person`. Accounts with the same address are one person's: they may be joined.
 */
export const personKeys = `
  accounts as materialized (
    select ${survivorOf('m')} as person, u.id, u.email
      from user_roles r
      join members m on m.workspace_id = $1::bigint and m.id = r.member_id
      join users u   on u.id = r.user_id
     where r.workspace_id = $1::bigint
  ),
  people as materialized (
    select person as id from accounts
     union
    select ${survivorOf('m')} from deputies d join members m on m.workspace_id = $1::bigint and m.id = d.member_id
     where d.workspace_id = $1::bigint
  ),
  records as materialized (
    select p.id as person, m.id, m.email_key, m.user_name, m.employee_number
      from people p
      join members m on m.workspace_id = $1::bigint and m.id = p.id
     union all
    select p.id, m.id, m.email_key, m.user_name, m.employee_number
      from people p
      join members m on m.workspace_id = $1::bigint and m.merged_into = p.id
  ),
  person_keys as materialized (
    select a.person, 'u:' || same.id as key from accounts a join users same on same.email = a.email
     union
    select person, 'a:' || ${addressKey('email')} from accounts
     union
    ${recordKeys('person')}
  )`;

/** The request to approvers that an order of `order_approvals` belongs to, as SQL: its own id if it is one alone. */
export function requestOf(approval: string): string {
  return `coalesce(${approval}.asked_with, ${approval}.request_id)`;
}

/**
 * The CTE `found_parties`: which of these people are parties of the orders of the workspace $1 in the CTE `asked` (from order_approvals), and who has approved them at an
 * earlier level, as arrays of members, by \`requestOf\`. Who is a party of one order is a party of all that are asked about with it.
 */
export const foundParties = `
  requests as materialized (
    select distinct ${requestOf('asked')} as request from asked
  ),
  with_them as materialized (
    select request, request as request_id from requests
     union
    select r.request, a.request_id
      from requests r
      join order_approvals a on a.workspace_id = $1 and a.asked_with = r.request
  ),
  party_keys as (
    select w.request, 'asker' as part, key
      from with_them w join order_parties p on p.workspace_id = $1 and p.request_id = w.request_id cross join unnest(p.askers) as key
     union all
    select w.request, 'recipient', key
      from with_them w join order_parties p on p.workspace_id = $1 and p.request_id = w.request_id cross join unnest(p.recipients) as key
     union all
    select w.request, 'approver', key
      from with_them w join order_decisions d on d.workspace_id = $1 and d.request_id = w.request_id
     cross join unnest(array['u:' || d.decided_user, 'm:' || d.decided_by]) as key
  ),
  found_parties as materialized (
    select k.request,
           array_agg(distinct o.person) filter (where k.part = 'asker')     as askers,
           array_agg(distinct o.person) filter (where k.part = 'recipient') as recipients,
           array_agg(distinct o.person) filter (where k.part = 'approver')  as approvers
      from party_keys k
      join person_keys o using (key)
     group by k.request
  )`;

/** The people of a workspace who have one of these keys. */
export async function peopleWith(on: Queryable, workspaceId: number, keys: readonly string[]): Promise<number[]> {
  const found = await on.query<{ person: number }>(
    `with ${personKeys} select distinct person from person_keys where key = any($2::text[])`,
    [workspaceId, keys],
  );
  return found.map(({ person }) => person);
}
