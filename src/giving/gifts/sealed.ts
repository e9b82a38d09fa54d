import { notSealed, type SealedRecord, sealAs } from '../../company/workspaces/seals.ts';
import type { GiftKey } from './gift.ts';

const { key, optional, plain, moment } = sealAs;

/** As many gifts of an order are one record: verification hashes a text for some gifts at once, and a change hashes few others again. */
const giftsInRecord = 16;

const firstOf = (key: string) => `split_part(${key}, '/', 2)::int * ${giftsInRecord}`;

/** Who gets a gift of how much, until when, with which link, and where it stands. */
export const giftRecord: SealedRecord = {
  name: 'gifts',
  called: (key) => {
    const first = firstOf(key);
    return `format('One of the gifts %s to %s of order %s', ${first}, ${first} + ${giftsInRecord - 1}, split_part(${key}, '/', 1))`;
  },
  key: `c.request_id || '/' || c.position / ${giftsInRecord}`,
  at: (key) => {
    const first = firstOf(key);
    return `c.request_id = split_part(${key}, '/', 1)::uuid and c.position >= ${first} and c.position < ${first} + ${giftsInRecord}`;
  },
  group: { by: `c.request_id, c.position / ${giftsInRecord}`, order: 'c.position' },
  tables: [
    {
      table: 'certificates',
      alias: 'c',
      columns: {
        workspace_id: key,
        request_id: key,
        position: plain,
        id: plain,
        member_id: plain,
        amount: plain,
        message: notSealed.personal,
        key_version: plain,
        short_token_hash: { open: 'only finds the gift: its token is derived again and compared' },
        state: plain,
        edition: plain,
        expires_at: moment,
        reason_id: optional,
        viewed_at: { open: 'when the page was opened first' },
        claimed_at: moment,
        thanks: notSealed.personal,
        redeemed: plain,
        token_version: plain,
        gift_language: { open: 'the language of emails and pages' },
        gift_deliver_at: { open: 'when the email about it is due; the row of the email decides' },
      },
    },
  ],
};

/** The key of the record that a gift belongs to. */
export function giftRecordKey({ requestId, position }: GiftKey): string {
  return `${requestId}/${Math.floor(position / giftsInRecord)}`;
}
