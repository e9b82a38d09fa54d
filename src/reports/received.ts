import type { CoverageCounts, CoverageGroup } from '../contract/coverage.ts';
import { survivorOf } from '../directory/who.ts';

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
 * The CTE `received`: what each member received from $2 to $3, with records that were merged into theirs. It is counted by
 * receiver first, in the index alone, so that only one row for each of them is joined.
 */
export const receivedSql = `
  received as (
    select ${survivorOf('r')} as member_id, sum(a.gifts)::bigint as gifts, sum(a.shoutouts)::bigint as shoutouts
      from (select receiver_id,
                   count(*) filter (where type = 'GIFT')     as gifts,
                   count(*) filter (where type = 'SHOUTOUT') as shoutouts
              from activities
             where workspace_id = $1
               and created_on >= $2::timestamptz
               and created_on < $3::timestamptz
               and status = 'APPROVED'
             group by receiver_id) a
      join members r on r.workspace_id = $1 and r.id = a.receiver_id
     group by 1
  )`;
