import type { CoverageCounts, CoverageGroup } from '../contract/coverage.ts';
import { isSurvivor, survivorOr } from '../directory/who.ts';

export interface Groups {
  company: CoverageCounts;
  total: number;
  groups: CoverageGroup[];
}

/** A group's share of recognized people, as SQL. */
export const shareSql = 'round(recognized / nullif(people, 0)::numeric, 4)';

/** The fields of a group or of the company, for json_build_object. */
export const countFields = `
  'people', people, 'recognized', recognized, 'share', ${shareSql}, 'gifts', gifts, 'shoutouts', shoutouts`;

/** The sums of `groups` as the company's counts. */
export const companySql = (groups: string) => `
  (select json_build_object(${countFields})
     from (select coalesce(sum(people), 0)::bigint as people, coalesce(sum(recognized), 0)::bigint as recognized,
                  coalesce(sum(gifts), 0)::bigint as gifts, coalesce(sum(shoutouts), 0)::bigint as shoutouts
             from ${groups}) sums)`;

/**
 * The CTE `received`: what each member received from $2 to $3, with records that were merged into theirs. It reads an index alone.
 * Records that were merged are few, so resolving them costs little; joining all receivers with their records took as long as
 * everything else together. Materialized, because parallel workers would each count all of it: three times the work, and no sooner.
 */
export const receivedSql = `
  received as materialized (
    select ${survivorOr('merged', 'a.receiver_id')} as member_id,
           count(*) filter (where a.type = 'GIFT')            as gifts,
           count(*) - count(*) filter (where a.type = 'GIFT') as shoutouts
      from activities a
      left join members merged on merged.workspace_id = $1 and merged.id = a.receiver_id and not (${isSurvivor('merged')})
     where a.workspace_id = $1
       and a.created_on >= $2::timestamptz
       and a.created_on < $3::timestamptz
       and a.status = 'APPROVED'
     group by 1)`;

/** The columns that count the people `m` of a group, each joined with what they received. */
export const groupCounts = `
  count(*) as people, count(received.member_id) as recognized,
  coalesce(sum(received.gifts), 0)::bigint as gifts, coalesce(sum(received.shoutouts), 0)::bigint as shoutouts`;
