import { periods, raised, type Tallies } from '../../../ground/database/tallies.ts';
import { utc } from './utc.ts';

const periodSeconds = 1_800;

/** What came of the posts of the past 18 hours, by half hours. Every attempt counts. */
const posts: Tallies = {
  column: 'w.posts',
  period: `floor(extract(epoch from now()) / ${periodSeconds})::bigint`,
  kept: 36,
  counts: ['succeeded', 'failed'],
};

/** The SQL of the column `posts` after a batch, by the parameters of its counts. */
export const raisedPosts = (succeeded: string, failed: string) => raised(posts, [succeeded, failed]);

/** The SQL of the posts of a webhook `w` as the API shows them, the oldest first. */
export const shownPosts = `(
  select jsonb_agg(jsonb_build_object('startedAt', ${utc(`to_timestamp(p.period * ${periodSeconds})`)},
                                      'succeeded', p.succeeded, 'failed', p.failed) order by p.period)
    from ${periods(posts)} p)`;
