import {
  because,
  keeps,
  neutral,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

/** Holds for rows `t` about gifts that the person received. */
export const ofTheirGift = `
  (t.request_id, t.position) in (select c.request_id, c.position
                                   from certificates c
                                  where c.workspace_id = $1
                                    and c.member_id = any($2::bigint[]))`;

/** Holds for rows `t` about gifts that the person sent. */
export const ofGiftSent = `
  (t.request_id, t.position) in (select a.request_id, a.position
                                   from activities a
                                  where a.workspace_id = $1
                                    and a.type = 'GIFT'
                                    and a.sender_id = any($2::bigint[]))`;

const giftText = {
  search: 'replace',
  kept: keeps.texts,
} as const;

export const giftsData: readonly TableOfData[] = [
  {
    table: 'certificates',
    holds: 'the gifts',
    key: [
      ['request_id', 'uuid'],
      ['position', 'int'],
    ],
    rows: { received: 't.member_id = any($2::bigint[])', wrote: ofGiftSent },
    columns: {
      message: personal({
        ...giftText,
        of: ['received', 'wrote', 'named'],
        what: 'the message of a gift',
        why: 'recipients read why they are thanked',
        becomes: neutral,
      }),
      thanks: personal({
        ...giftText,
        of: ['received', 'wrote', 'named'],
        what: 'the thank-you note of the recipient',
        why: 'senders read it',
        becomes: 'null',
      }),
      ...technicalColumns(because.word, 'state', 'gift_language'),
    },
  },
  {
    table: 'gift_log',
    holds: 'what happened to each gift',
    key: [
      ['request_id', 'uuid'],
      ['position', 'int'],
      ['id', 'bigint'],
    ],
    rows: { received: ofTheirGift },
    columns: {
      type: technical(because.word),
      detail: personal({
        of: ['received', 'named'],
        what: 'addresses that an email was sent to, responses of mail servers, the name of the person who corrected or cancelled the gift',
        why: 'the company finds out what became of a gift',
        becomes: `t.detail - '{address,answer,messageId,email,from,to}'::text[]`,
        search: 'replace',
        kept: 'as the retention of the gift log says: 730 days unless the workspace sets another number',
      }),
    },
  },
  {
    table: 'gift_token_keys',
    holds: 'fingerprints of the keys of gift links',
    columns: { fingerprint: technical('a hash of a key') },
  },
];
