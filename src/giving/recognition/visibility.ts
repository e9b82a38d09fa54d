import type { PersonRole } from '../../company/access/roles.ts';
import { keptOutRecords } from '../../company/directory/kept-out.ts';
import { recordsOf } from '../../company/directory/who.ts';

/** Who reads recognition: the member that the caller acts as, and what the caller may do. An operator is no member. */
export interface ActivityReader {
  workspaceId: number;
  memberId: number | null;
  /** Of a person; null for a token. */
  role: PersonRole | null;
  scopes: readonly string[];
}

/**
 * Whether a reader sees every private shoutout: people whom the workspace lets approve shoutouts, and tokens that read the reports, which are
 * systems of the company. All others see the private shoutouts that they gave or received, and no trace of any other one.
 * Everything that reads activities asks here, or embeds `visibleTo`; reports/memory/visible.ts is the same for counts.
 */
export function seesAllShoutouts({ role, scopes }: ActivityReader): boolean {
  return scopes.includes('recognition:approve') || (role === null && scopes.includes('reports:read'));
}

/**
 * True for an activity `alias` of the workspace $1 that the reader may see. `memberId` is the parameter with the reader's member. All receivers of one
 * post see each other.
 */
export function visibleTo(reader: ActivityReader, alias: string, memberId: string): string {
  return seesAllShoutouts(reader) ? 'true' : `(not ${alias}.is_private or ${isPartyOf(alias, memberId)})`;
}

/** True for a post `a` by a person who is not kept out of the feed, to someone who is not. Its own people see it in any case. `$1` is the workspace. */
export const isInFeed = `
  a.sender_id not in (${keptOutRecords('$1')})
  and (a.receiver_id not in (${keptOutRecords('$1')})
       or exists (select from activities r
                   where r.workspace_id = $1 and r.lead_number = a.number and r.receiver_id not in (${keptOutRecords('$1')})))`;

/** True for an activity of the workspace $1 that a person gave, or one of a post that they received. */
function isPartyOf(alias: string, memberId: string): string {
  const own = recordsOf('$1::bigint', memberId);
  return `(${alias}.sender_id in (${own}) or ${alias}.receiver_id in (${own})
      or exists (select from activities beside
                  where beside.workspace_id = $1::bigint and beside.lead_number = ${alias}.lead_number
                    and beside.receiver_id in (${own})))`;
}
