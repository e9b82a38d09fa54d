import { selectFields } from '../../company/directory/columns.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { type ReportField, reportFields } from '../../ground/values/member.ts';
import { unpaid, unreturned } from './payroll-open.ts';
import { redemptionTables } from './read.ts';

/** What a line of a payroll export is made of. */
export interface DueLine extends Record<PersonField, string | null> {
  redemptionId: number;
  /** Negative where a redemption is taken back that an earlier export has. */
  amount: number;
  type: 'PAID' | 'REVERSED';
  currency: string;
  /** The day of the redemption or of its reversal, in the workspace's time zone. */
  date: string;
  giftId: number;
  reason: string;
}

type PersonField = 'firstName' | 'lastName' | 'email' | ReportField;
const personFields: PersonField[] = ['firstName', 'lastName', 'email', ...reportFields];

const atOnce = 500;

/** What a line pays; a redemption that is taken back counts against it. */
const lineAmount = `case d.state when 'DONE' then d.amount else -d.amount end`;

/** The lines that the next export has to hold, in the sequence of redemptions behind one of them. */
export function readDue(on: Queryable, workspaceId: number, after: number, limit = atOnce): Promise<DueLine[]> {
  return on.query<DueLine>(dueSql, [workspaceId, after, limit]);
}

const dueSql = `
  with due as (
    select * from (select * from redemptions where workspace_id = $1 and id > $2 and ${unpaid} order by id limit $3) paid
     union all
    select * from (select * from redemptions where workspace_id = $1 and id > $2 and ${unreturned} order by id limit $3) returned
  )
  select d.id as "redemptionId", ${lineAmount} as amount,
         case d.state when 'DONE' then 'PAID' else 'REVERSED' end as type, r.currency,
         to_char(case d.state when 'DONE' then d.at else d.finished_at end at time zone w.time_zone, 'YYYY-MM-DD') as date,
         c.id as "giftId", coalesce(reason.description, '') as reason,
         ${selectFields('m', personFields)}
    from due d
    ${redemptionTables}
    join workspaces w        on w.id = $1
    left join reasons reason on reason.workspace_id = $1
                            and reason.id = coalesce(c.reason_id, w.default_reason_id)
   order by d.id
   limit $3`;

/** How many lines the next export would have. */
export async function countDue(on: Queryable, workspaceId: number): Promise<number> {
  const { waiting } = await queryOne<{ waiting: number }>(
    on,
    `select (select count(*) from redemptions where workspace_id = $1 and ${unpaid})
            + (select count(*) from redemptions where workspace_id = $1 and ${unreturned}) as waiting`,
    [workspaceId],
  );
  return waiting;
}

/** What the next export would pay, and how many of its lines need care. */
export function sumDue(on: Queryable, workspaceId: number): Promise<DueSums> {
  return queryOne<DueSums>(on, sumsSql, [workspaceId]);
}

interface DueSums {
  totals: { currency: string; amount: number }[];
  withoutNumber: number;
  reversed: number;
}

const sumsSql = `
  with due as (
    select * from redemptions where workspace_id = $1 and ${unpaid}
     union all
    select * from redemptions where workspace_id = $1 and ${unreturned}),
  line as (
    select ${lineAmount} as amount, d.state, r.currency,
           m.employee_number
      from due d
      ${redemptionTables})
  select (select coalesce(json_agg(json_build_object('currency', currency, 'amount', amount) order by currency), '[]')
            from (select currency, sum(amount) as amount from line group by currency) sums) as totals,
         (select count(*) from line where employee_number is null) as "withoutNumber",
         (select count(*) from line where state = 'REVERSED') as reversed`;
