import type { GiftMails } from '../gifts/claim.ts';
import { queueMail, withdrawMails } from './queue.ts';

/** What happens to emails together with what people do on gift pages. */
export const giftMails: GiftMails = {
  queue: async (tx, gift, kind, nth) => (await queueMail(tx, gift.workspaceId, { gift, kind, nth })) !== 'NO_ADDRESS',
  withdraw: (tx, gift) => withdrawMails(tx, gift.workspaceId, gift),
};
