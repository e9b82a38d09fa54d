import { timeOf } from '../../company/workspaces/lock.ts';
import { isThere } from '../../giving/gifts/own/standing.ts';

// What is about a person, and not theirs to read before it has reached them.

/** True for a gift `c` of the workspace $1 that is there for its recipient. */
export const isGiftThere = isThere(
  'c',
  `(select ${timeOf('time')} from activity_counters time where time.workspace_id = $1)`,
);

/** True for an email that is no longer to be sent. Others tell of gifts that are not there yet. */
export const isOver = (m: string) => `${m}.state not in ('SCHEDULED', 'QUEUED', 'DEFERRED')`;

/** True for an occurrence `o` whose text was sent: before, it is a surprise. */
export const wasSent = `o.state in ('SENT', 'MESSAGE_ONLY')`;
