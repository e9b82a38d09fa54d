import { isHeld } from '../../company/directory/holds.ts';
import type { RowRetention } from '../../company/workspaces/retention.ts';

/** The texts of what was sent, for which `texts` says how long they are kept. The row stays, so nothing is given twice. */
export const occurrenceTextRetention = (
  texts: Pick<RowRetention, 'kind' | 'usualDays' | 'leastDays' | 'what' | 'why'>,
): RowRetention => ({
  ...texts,
  runsAs: 'gift-texts-of-automations',
  isCopy: true,
  table: 'occurrences',
  key: [['id', 'bigint']],
  isReached: 'true',
  isRemovable: `
    (t.message is not null or t.line is not null)
    and t.state in ('SENT', 'MESSAGE_ONLY')
    and t.at < $2::timestamptz
    and not ${isHeld('t.member_id')}`,
  becomes: 'message = null, line = null',
});
