import { isHeld } from '../../company/directory/holds.ts';
import { erasedBody } from '../../company/workspaces/erased-bodies.ts';
import type { RowRetention } from '../../company/workspaces/retention.ts';
import { neutral, neutralText } from '../../ground/values/personal.ts';

/** What a workspace sets one number of days for: texts of shoutouts, and of what people add to them. */
export const shoutoutTexts = {
  kind: 'shoutout-texts',
  usualDays: null,
  leastDays: 30,
  what: `texts of shoutouts, comments and notes about them; “${neutralText}” takes their place`,
  why: 'people read again why they were thanked',
} as const;

/** Numbers follow the time, so old rows end where the first younger one begins. */
const isReached = `
  t.number < coalesce((select a.number
                         from activities a
                        where a.workspace_id = $1
                          and a.created_on >= $2::timestamptz
                        order by a.created_on
                        limit 1), 9007199254740991)`;

/** Who thanked whom, when and for which reason stays, so reports have the same totals. A shoutout that waits for approval keeps its text. */
export const shoutoutTextRetention: RowRetention = {
  ...shoutoutTexts,
  table: 'activities',
  key: [['number', 'bigint']],
  isReached,
  isRemovable: `t.created_on < $2::timestamptz and t.type = 'SHOUTOUT' and t.status <> 'PENDING' and t.description <> ${neutral} and not ${isHeld('t.sender_id')} and not ${isHeld('t.receiver_id')}`,
  becomes: `description = ${neutral}`,
};

const activityOf = (condition: string) => `
  exists (select from activities a where a.workspace_id = $1 and a.number = t.number and ${condition})`;

/** The shoutout as it was sent: a hash of it recognizes a repeated request. */
export const shoutoutBodyRetention: RowRetention = {
  ...shoutoutTexts,
  runsAs: 'shoutout-texts-as-sent',
  isCopy: true,
  table: 'shoutouts',
  key: [['number', 'bigint']],
  isReached,
  isRemovable: `(not t.body ? 'erased' or t.decision_reason is not null) and ${activityOf(`a.created_on < $2::timestamptz and a.status <> 'PENDING' and not ${isHeld('a.sender_id')} and not ${isHeld('a.receiver_id')}`)}`,
  becomes: `body = ${erasedBody('t.body')}, decision_reason = null`,
};
