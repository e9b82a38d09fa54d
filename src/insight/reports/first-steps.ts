import { isPerson } from '../../company/directory/who.ts';
import type { FirstSteps } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { Reader } from './span.ts';

/**
 * What a company has done before its first gift, derived from what is there. Null once a gift was sent by a person or a program, and for managers,
 * who set up nothing. A first gift of an automation leaves the list: the other steps are as open as before. A hundred of them end it.
 */
export async function readFirstSteps(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  areEmailsSent: boolean,
): Promise<FirstSteps | null> {
  if (onlyReportsOf !== null) return null;
  const { hasGifts, mailsGifts, ...steps } = await queryOne<Found>(on, stepsSql, [workspaceId]);
  // A workspace that prints its gifts needs no email.
  return hasGifts ? null : { ...steps, email: areEmailsSent || !mailsGifts };
}

interface Found extends Omit<FirstSteps, 'email'> {
  hasGifts: boolean;
  mailsGifts: boolean;
}

const mostOfAutomations = 100;

const stepsSql = `
  select (select count(*) filter (where r.occasion is null) > 0 or count(*) = ${mostOfAutomations}
            from (select request_id from certificates where workspace_id = $1 limit ${mostOfAutomations}) c
            join order_requests r on r.workspace_id = $1 and r.request_id = c.request_id) as "hasGifts",
         w.brand_name is not null or w.brand_colour is not null or w.brand_logo is not null as brand,
         exists (select from members m where m.workspace_id = $1 and ${isPerson('m')}) as people,
         w.mails_gifts as "mailsGifts",
         exists (select from spending_options s where s.workspace_id = $1) as "spendingOptions",
         exists (select from budgets b where b.workspace_id = $1 and b.kind <> 'UNLIMITED' and b.closed_at is null) as budget
    from workspaces w
   where w.id = $1`;
