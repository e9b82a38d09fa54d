import { isSurvivor, recordsOf } from '../../company/directory/who.ts';
import { readSpan } from '../../company/workspaces/span.ts';
import { stateAt } from '../../giving/gifts/gift.ts';
import type { TaxLine, TaxLogPage, TaxLogQuery } from '../../ground/contract/tax-log.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { timeOfUuid } from '../../ground/values/uuid.ts';

type TaxLogFilters = Omit<TaxLogQuery, 'bom'>;

export const taxLogColumns = [
  'memberId',
  'employeeNumber',
  'firstName',
  'lastName',
  'date',
  'reason',
  'type',
  'spendingOptionName',
  'retailer',
  'amount',
  'currency',
  'spentOn',
  'giftId',
  'redemptionId',
] as const satisfies readonly (keyof TaxLine)[];

type Row = Omit<TaxLine, 'date' | 'spentOn'> & {
  requestId: string;
  position: number;
  spentAt: Date | null;
};

/**
 * The gifts of a year, by member, as employers are asked to keep them: a line for each part that was spent, and one for what is left.
 * Gifts that have expired or were cancelled are none. The gifts of merged records are among those of the surviving one.
 */
export async function readTaxLog(on: Queryable, workspaceId: number, query: TaxLogFilters): Promise<TaxLogPage> {
  const { year, size } = query;
  const { moment, first, end } = await readSpan(on, workspaceId, { from: `${year}-01-01`, to: `${year}-12-31` });
  const [member, requestId, position, part] = query.after?.split('.') ?? ['0', first, '0', '0'];
  const members = query.member === undefined ? null : await readRecords(on, workspaceId, query.member);
  const values = [workspaceId, moment, first, end, members, member, requestId, position, part, size + 1];
  const rows = await on.query<Row>(logSql, values, 'once');
  const dayOf = await readCalendar(on, workspaceId);
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  const next = last ? [last.memberId, last.requestId, last.position, last.redemptionId ?? 0].join('.') : null;
  return { lines: page.map((row) => lineOf(row, dayOf)), next };
}

function lineOf({ requestId, position: _nth, spentAt, ...row }: Row, dayOf: Calendar): TaxLine {
  return { ...row, date: dayOf(timeOfUuid(requestId)), spentOn: spentAt && dayOf(spentAt) };
}

async function readRecords(on: Queryable, workspaceId: number, id: number): Promise<number[]> {
  const rows = await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id]);
  return rows.map((row) => row.id);
}

type Calendar = (moment: Date) => string;

/** The days of the workspace's time zone, for example 2026-11-02. */
async function readCalendar(on: Queryable, workspaceId: number): Promise<Calendar> {
  const { timeZone } = await queryOne<{ timeZone: string }>(
    on,
    'select time_zone as "timeZone" from workspaces where id = $1',
    [workspaceId],
  );
  const { format } = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format;
}

/** The parts of gifts by the member whose record counts: `part` of the gift `c` of the member `m`. What is left of a gift is a part too. */
export const taxParts = `
    from members m
   cross join lateral (
           select m.id
            union all
           select merged.id from members merged where merged.workspace_id = $1 and merged.merged_into = m.id) record
    join certificates c      on c.workspace_id = $1 and c.member_id = record.id
    join order_requests r    on r.workspace_id = $1 and r.request_id = c.request_id
    join workspaces w        on w.id = c.workspace_id
    left join reasons reason on reason.workspace_id = $1
                            and reason.id = coalesce(c.reason_id, w.default_reason_id)
   cross join lateral (
           select 0::bigint as id, 'UNSPENT' as type, null as name, null as retailer, c.amount - c.redeemed as amount, null as at
            where c.redeemed < c.amount
            union all
           select d.id, d.tax_type, d.spending_option_name, d.retailer, d.amount, d.at
             from redemptions d
            where d.workspace_id = $1
              and d.request_id = c.request_id
              and d.position = c.position
              and d.state in ('REQUESTED', 'DONE')) part`;

/**
 * What is left of a gift comes before what was spent of it: its id is 0. Read member by member, through an index each, so that a page
 * does not need all gifts of the year.
 */
const logSql = `
  select m.id as "memberId", coalesce(m.employee_number, kept.employee_number) as "employeeNumber",
         coalesce(nullif(m.first_name, ''), kept.first_name, '') as "firstName", coalesce(nullif(m.last_name, ''), kept.last_name, '') as "lastName",
         coalesce(reason.description, '') as reason, part.type, part.name as "spendingOptionName", part.retailer, part.amount, r.currency,
         part.at as "spentAt", c.id as "giftId", nullif(part.id, 0) as "redemptionId",
         c.request_id as "requestId", c.position
    ${taxParts}
    left join tax_identities kept on kept.workspace_id = $1 and kept.member_id = m.id
   where m.workspace_id = $1
     and ${isSurvivor('m')}
     and m.id >= $6::bigint
     and ${stateAt('c', '$2::timestamptz')} not in ('EXPIRED', 'CANCELLED')
     and c.request_id >= $3::uuid
     and c.request_id < $4::uuid
     and ($5::bigint[] is null or m.id = any($5))
     and (m.id, c.request_id, c.position) >= ($6::bigint, $7::uuid, $8::int)
     and ((m.id, c.request_id, c.position) > ($6::bigint, $7::uuid, $8::int) or part.id > $9::bigint)
   order by m.id, c.request_id, c.position, part.id
   limit $10`;

const linesAtOnce = 500;

/** The whole log, as pieces and a function that reads a piece. A piece is where the piece before ended. */
export function taxLogPieces(on: Queryable, workspaceId: number, filters: TaxLogFilters) {
  let next: string | null | undefined;
  function* pieces(): Generator<string | undefined> {
    while (next !== null) yield next;
  }
  async function read(after: string | undefined): Promise<Record<string, unknown>[]> {
    const { after: _asked, ...asked } = { ...filters, size: linesAtOnce };
    const page = await readTaxLog(on, workspaceId, after === undefined ? asked : { ...asked, after });
    next = page.next;
    return page.lines;
  }
  return { pieces: pieces(), read };
}
