import type { RecipientPerson } from '../../company/directory/recipient-rules.ts';
import { takeIn } from '../../company/directory/recipient-rules.ts';
import { knowPeople, readRecipientLines, takeInAhead } from '../../company/directory/recipients.ts';
import { recordsOf } from '../../company/directory/who.ts';
import { startOfDay } from '../../company/workspaces/days.ts';
import { timeOf } from '../../company/workspaces/lock.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { addressKey } from '../../ground/values/email.ts';
import { sumOf } from '../../ground/values/money.ts';
import { firstUuidAt } from '../../ground/values/uuid.ts';
import { type PendingLine, readPendingLines } from './pending-lines.ts';
import { allPending } from './queue.ts';

/** An order whose recipients are asked about. It may be stored already, but it does not count as one that waits. */
export interface AskedOrder {
  requestId: string;
  order: Pick<OrderRequest, 'currency' | 'orderItems'>;
}

/** What people receive in the current calendar year, and who the recipients of some orders are. */
export interface RecipientYear {
  year: number;
  /** The recipients of each order in the sequence of its gifts, by requestId. A person is the same object wherever they are named. */
  recipients: ReadonlyMap<string, readonly RecipientPerson[]>;
  /** The gifts that a person got this year in a currency, and those that wait. */
  totalOf(person: RecipientPerson, currency: string): number;
}

/**
 * More waiting gifts than this are not searched: reading them takes too long. If more are pending, orders are rejected for the moment. Those that
 * wait for approval come last and may wait for weeks, so they reject no order: they are counted again when they are approved.
 */
const maxGiftsAhead = 100_000;
const yearMs = 366 * 86_400_000;

/**
 * Reads what the recipients of some orders of one workspace receive in the current calendar year of its time zone: gifts that were issued in it and not
 * cancelled, and those of orders that wait. An order that fails or is declined no longer counts.
 *
 * What waits is read first. So an order that is fulfilled meanwhile is never missed, and it is not counted twice, because its gifts are left out.
 * To decide by the totals, the caller holds `lockRecipientYear`. `alsoHeld`: whether orders that wait for approval count too.
 */
export async function readRecipientYear(
  tx: Queryable,
  workspaceId: number,
  orders: readonly AskedOrder[],
  alsoHeld = true,
): Promise<RecipientYear> {
  const named = orders.flatMap(({ order }) => order.orderItems.map(({ recipient }) => recipient));
  const keys = named.map(({ email, employeeNumber }) => ({
    emailKey: email ? addressKey(email) : null,
    employeeNumber: employeeNumber ?? null,
  }));
  const own = new Set(orders.map(({ requestId }) => requestId));
  const [backlog] = await tx.query<{ isTooLong: boolean }>(backlogSql, [workspaceId, maxGiftsAhead]);
  if (backlog?.isTooLong) throw tooMuchAhead();
  const found = await readPendingLines(tx, workspaceId, keys, maxGiftsAhead, alsoHeld);
  const waiting = found.filter(({ request }) => !own.has(request));
  const lines = await readRecipientLines(tx, workspaceId, named);
  const known = await knowPeople(tx, workspaceId, lines, async () => []);
  await takeInAhead(tx, workspaceId, known, waiting);
  const totals = new Totals();
  for (const some of Map.groupBy(waiting, ({ request }) => request).values())
    for (const [nth, person] of takeIn(known, some).entries()) {
      const { currency, amount } = some[nth] as PendingLine;
      totals.add(person, currency, amount);
    }
  const rest = lines.values();
  const recipients = new Map(
    orders.map(({ requestId, order }) => [requestId, takeIn(known, [...rest.take(order.orderItems.length)])]),
  );
  const people = [...new Set([...recipients.values()].flat())].filter(({ id }) => id !== null);
  const { year, issued } = await readIssued(tx, workspaceId, people, [
    ...new Set(waiting.map(({ request }) => request)),
  ]);
  for (const { nth, currency, amount } of issued) totals.add(people[nth - 1] as RecipientPerson, currency, amount);
  return { year, recipients, totalOf: (person, currency) => totals.of(person, currency) };
}

const aheadReason = 'TOO_MUCH_AHEAD';

export function tooMuchAhead(): Failure {
  const message =
    'Too many gifts of this workspace wait, so its limits for one person cannot be compared: try again shortly.';
  return new Failure('unavailable', message, { reason: aheadReason, headers: { 'Retry-After': '1' } });
}

/** Whether orders of one workspace cannot be stored for the moment. Those of others can. */
export function isTooMuchAhead(error: unknown): error is Failure {
  return error instanceof Failure && error.reason === aheadReason;
}

const backlogSql = `
  select sum(gifts) > $2::int as "isTooLong"
    from (select gifts from ${allPending} pending where workspace_id = $1 limit $2::int) waiting`;

class Totals {
  readonly #byPerson = new Map<RecipientPerson, Map<string, number>>();

  add(person: RecipientPerson, currency: string, amount: number): void {
    const sums = this.#byPerson.get(person) ?? new Map<string, number>();
    this.#byPerson.set(person, sums.set(currency, sumOf([sums.get(currency) ?? 0, amount])));
  }

  of(person: RecipientPerson, currency: string): number {
    return this.#byPerson.get(person)?.get(currency) ?? 0;
  }
}

// Away from the numbers of other advisory locks.
const yearLocks = 0x74_00_00_00_00_00;

/** Lets one acceptance at a time decide by what recipients of a workspace receive in a year. Until the transaction ends. */
export async function lockRecipientYear(tx: Queryable, workspaceId: number): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1::bigint)', [yearLocks + workspaceId]);
}

interface Issued {
  nth: number;
  currency: string;
  amount: number;
}

/** The gifts of each person that were issued this year, by currency, without those of some orders. */
async function readIssued(
  tx: Queryable,
  workspaceId: number,
  people: readonly RecipientPerson[],
  without: readonly string[],
): Promise<{ year: number; issued: Issued[] }> {
  const { year, start, startMs } = await queryOne<{ year: number; start: string; startMs: number }>(tx, yearSql, [
    workspaceId,
  ]);
  if (people.length === 0) return { year, issued: [] };
  const issued = await tx.query<Issued>(issuedSql, [
    workspaceId,
    people.map(({ id }) => id),
    start,
    // An order that waited, or was retried, for up to a year.
    firstUuidAt(startMs - yearMs),
    without,
  ]);
  return { year, issued };
}

/** `startMs` is on the clock of the machines, which request ids begin with. The clock of a test environment may be ahead of it. */
const yearSql = `
  select extract(year from local)::int as year, start::text as start,
         (extract(epoch from start - ahead) * 1000)::float8 as "startMs"
    from (select now.local, now.ahead, ${startOfDay(`date_trunc('year', now.local)`, 'now.zone')} as start
            from (select ${timeOf('a')} at time zone w.time_zone as local, a.clock_ahead as ahead, w.time_zone as zone
                    from activity_counters a
                    join workspaces w on w.id = a.workspace_id
                   where a.workspace_id = $1) now) year`;

// The index of certificates by member has their request ids, which begin with the time: only the gifts of two years are read.
const issuedSql = `
  select person.nth, r.currency, sum(c.amount) as amount
    from unnest($2::bigint[]) with ordinality as person (id, nth)
   cross join lateral (${recordsOf('$1::bigint', 'person.id')}) as record
    join certificates c   on c.workspace_id = $1::bigint and c.member_id = record.id and c.request_id >= $4::uuid
    join orders o         on o.workspace_id = c.workspace_id and o.request_id = c.request_id
    join order_requests r on r.workspace_id = c.workspace_id and r.request_id = c.request_id
   where c.state <> 'CANCELLED'
     and o.finished_at >= $3::timestamptz
     and c.request_id <> all($5::uuid[])
   group by person.nth, r.currency`;
