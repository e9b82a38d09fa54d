import { isPerson } from '../../company/directory/who.ts';
import type { FirstSteps } from '../../ground/contract/overview.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { Reader } from './span.ts';

/**
 * What a company has done before its first gift, derived from what is there. Null once a gift was issued, and for managers, who set up
 * nothing.
 */
export async function readFirstSteps(
  on: Queryable,
  { workspaceId, onlyReportsOf }: Reader,
  isMailOn: boolean,
): Promise<FirstSteps | null> {
  if (onlyReportsOf !== null) return null;
  const { hasGifts, mailsGifts, ...steps } = await queryOne<Found>(on, stepsSql, [workspaceId]);
  // A workspace that prints its gifts needs no email.
  return hasGifts ? null : { ...steps, email: isMailOn || !mailsGifts };
}

interface Found extends Omit<FirstSteps, 'email'> {
  hasGifts: boolean;
  mailsGifts: boolean;
}

const stepsSql = `
  select exists (select from certificates c where c.workspace_id = w.id) as "hasGifts",
         w.brand_name is not null or w.brand_colour is not null or w.brand_logo is not null as brand,
         exists (select from members m where m.workspace_id = w.id and ${isPerson('m')}) as people,
         w.mails_gifts as "mailsGifts",
         exists (select from spending_options s where s.workspace_id = w.id) as "spendingOptions",
         exists (select from budgets b where b.workspace_id = w.id and b.kind <> 'UNLIMITED' and b.closed_at is null) as budget
    from workspaces w
   where w.id = $1`;
