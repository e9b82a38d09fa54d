import { type Keys, readAliases } from '../../company/directory/identify.ts';
import type { LineAhead, NamedPerson } from '../../company/directory/recipient-rules.ts';
import { addressKey } from '../../company/directory/who.ts';
import { OneAtATime } from '../../company/workspaces/one-at-a-time.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { lookUp } from './look-up.ts';
import { allPending, recipientKeys } from './queue.ts';

// The lines that are found can name further addresses and employee numbers of the same people, which are searched next. Each
// round costs a statement. Only orders made for that purpose need more rounds than this, so the search ends here.
const maxLinks = 10;
// At most this many waiting gifts are searched: reading a backlog of a million would take seconds.
const maxGiftsAhead = 5_000;

/** A line with its gift. */
export interface PendingLine extends LineAhead {
  currency: string;
  amount: number;
}

/** By pool or transaction: whose turn it is to search. */
const searches = new WeakMap<Queryable, OneAtATime>();

/**
 * Reads the lines about these people in orders that are accepted and not fulfilled yet, in the sequence of acceptance. The
 * caller decides as if these orders were fulfilled already. `alsoHeld`: those that wait for approval too. A search takes long where many orders wait, so a workspace has one at a time
 * in a pool: its orders would otherwise take all connections.
 */
export function readPendingLines(
  database: Queryable,
  workspaceId: number,
  people: readonly Pick<NamedPerson, 'emailKey' | 'employeeNumber'>[],
  most: number = maxGiftsAhead,
  alsoHeld = false,
): Promise<PendingLine[]> {
  const turns = searches.get(database) ?? new OneAtATime();
  searches.set(database, turns);
  return turns.run(workspaceId, () => search(database, workspaceId, people, most, alsoHeld));
}

async function search(
  database: Queryable,
  workspaceId: number,
  people: readonly Pick<NamedPerson, 'emailKey' | 'employeeNumber'>[],
  most: number,
  alsoHeld: boolean,
): Promise<PendingLine[]> {
  let keys = keysOf(people);
  for (let links = 1; ; links++) {
    const aliases = await readAliases(database, workspaceId, keys);
    const all = union(keys, aliases);
    const lines = await database.query<PendingLine>(alsoHeld ? waitingSql : pendingSql, [
      workspaceId,
      all.emailKeys,
      all.employeeNumbers,
      most,
      ...(alsoHeld ? [recipientKeys(all.emailKeys, all.employeeNumbers)] : []),
    ]);
    keys = union(all, keysOf(lines));
    if (sizeOf(keys) === sizeOf(all) || links === maxLinks) return lines;
  }
}

function keysOf(people: readonly Pick<NamedPerson, 'emailKey' | 'employeeNumber'>[]): Keys {
  return {
    emailKeys: people.flatMap(({ emailKey }) => emailKey ?? []),
    employeeNumbers: people.flatMap(({ employeeNumber }) => employeeNumber ?? []),
  };
}

function union(one: Keys, other: Keys): Keys {
  return {
    emailKeys: [...new Set([...one.emailKeys, ...other.emailKeys])],
    employeeNumbers: [...new Set([...one.employeeNumbers, ...other.employeeNumbers])],
  };
}

function sizeOf({ emailKeys, employeeNumbers }: Keys): number {
  return emailKeys.length + employeeNumbers.length;
}

const oldestPending = `
    select *, sum(gifts) over (order by number, request_id) - gifts as gifts_before
      from (select number, request_id, gifts, workspace_id from ${allPending} pending where workspace_id = $1 order by number limit $4) oldest`;

// Those that wait for a decision come last. They can be many more, and only those for one of these people are read.
const heldFor = `
    select ${Number.MAX_SAFE_INTEGER} as number, request_id, gifts, workspace_id, 0 as gifts_before
      from held_orders
     where workspace_id = $1 and recipient_keys && $5::text[]`;

const aheadSql = (waiting: string) => `
  select r.request_id as request,
         named.email,
         ${addressKey('named.email')} as "emailKey",
         named.employee_number as "employeeNumber",
         named.first_name      as "firstName",
         named.last_name       as "lastName",
         r.currency,
         (item.value ->> 'amount')::numeric as amount
    from (${waiting}) p
   cross join lateral (${lookUp('order_requests', 'p', '$1::bigint')}) r
   cross join jsonb_array_elements(r.body -> 'orderItems') with ordinality as item
   cross join lateral (select item.value #>> '{recipient,email}',
                              item.value #>> '{recipient,employeeNumber}',
                              coalesce(item.value #>> '{recipient,firstName}', ''),
                              coalesce(item.value #>> '{recipient,lastName}', ''))
              as named (email, employee_number, first_name, last_name)
   where p.gifts_before < $4
     and (${addressKey('named.email')} = any($2::text[]) or named.employee_number = any($3::text[]))
   order by p.number, p.request_id, item.ordinality`;

const pendingSql = aheadSql(oldestPending);
const waitingSql = aheadSql(`${oldestPending}
     union all ${heldFor}`);
