import {
  because,
  keeps,
  neutral,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const isTheirs = 't.member_id = any($2::bigint[])';

const written = (what: string) =>
  personal({
    of: ['wrote', 'named'],
    what,
    why: 'people recognize each other',
    becomes: neutral,
    search: 'replace',
    kept: keeps.texts,
  });

export const feedData: readonly TableOfData[] = [
  {
    table: 'feed_reactions',
    holds: 'reactions to shoutouts',
    rows: { wrote: isTheirs },
    columns: technicalColumns(because.word, 'kind'),
  },
  {
    table: 'feed_screens',
    holds: 'screens that show the feed',
    columns: {
      name: technical('says where a screen hangs'),
      token_hash: technical('a hash of the secret in its link'),
    },
  },
  {
    table: 'feed_comments',
    holds: 'comments on shoutouts',
    key: [['id', 'bigint']],
    rows: { wrote: isTheirs },
    columns: { text: written('the text of a comment') },
  },
  {
    table: 'feed_thanks',
    holds: 'thank-you notes to the senders of shoutouts',
    key: [
      ['number', 'bigint'],
      ['member_id', 'bigint'],
    ],
    rows: { wrote: isTheirs },
    columns: { text: written('a thank-you note') },
  },
  {
    table: 'feed_cases',
    holds: 'posts and comments that were reported, and what was decided',
    key: [['id', 'bigint']],
    rows: { wrote: 't.decided_by = any($2::bigint[])' },
    columns: { ...technicalColumns(because.word, 'state'), note: written('why a reported text was hidden or kept') },
  },
  {
    table: 'feed_reports',
    holds: 'who reported a post or a comment',
    key: [
      ['case_id', 'bigint'],
      ['member_id', 'bigint'],
    ],
    rows: { wrote: isTheirs },
    columns: { why: written('why a text was reported') },
  },
];
