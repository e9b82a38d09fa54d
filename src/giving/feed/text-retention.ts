import { isHeld } from '../../company/directory/holds.ts';
import type { RowRetention } from '../../company/workspaces/retention.ts';
import { neutral } from '../../ground/values/personal.ts';
import { shoutoutTexts } from '../recognition/text-retention.ts';

const isWritten = `t.at < $2::timestamptz and t.text <> ${neutral} and not ${isHeld('t.member_id')}`;

const becomes = `text = ${neutral}`;

/** What is reported and not decided keeps its text. */
export const commentRetention: RowRetention = {
  ...shoutoutTexts,
  runsAs: 'shoutout-texts-comments',
  table: 'feed_comments',
  key: [['id', 'bigint']],
  isReached: 'true',
  isRemovable: `
    ${isWritten}
    and not exists (select
                      from feed_cases k
                     where k.workspace_id = $1
                       and k.comment_id = t.id
                       and k.state = 'OPEN')`,
  becomes,
};

export const thanksRetention: RowRetention = {
  ...shoutoutTexts,
  runsAs: 'shoutout-texts-thanks',
  table: 'feed_thanks',
  key: [
    ['number', 'bigint'],
    ['member_id', 'bigint'],
  ],
  isReached: 'true',
  isRemovable: isWritten,
  becomes,
};

export const reportedRetention: RowRetention = {
  ...shoutoutTexts,
  runsAs: 'shoutout-texts-reported',
  isCopy: true,
  table: 'feed_reports',
  key: [
    ['case_id', 'bigint'],
    ['member_id', 'bigint'],
  ],
  isReached: 'true',
  isRemovable: `
    t.at < $2::timestamptz
    and t.why <> ${neutral}
    and exists (select from feed_cases k where k.workspace_id = $1 and k.id = t.case_id and k.state <> 'OPEN')`,
  becomes: `why = ${neutral}`,
};

export const caseNoteRetention: RowRetention = {
  ...shoutoutTexts,
  runsAs: 'shoutout-texts-decided',
  isCopy: true,
  table: 'feed_cases',
  key: [['id', 'bigint']],
  isReached: 'true',
  isRemovable: `t.decided_at < $2::timestamptz and t.state <> 'OPEN' and t.note <> ${neutral}`,
  becomes: `note = ${neutral}`,
};
