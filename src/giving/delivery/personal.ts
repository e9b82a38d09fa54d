import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';
import { ofGiftSent, ofTheirGift } from '../gifts/personal.ts';

const sentTo = {
  what: 'the address that an email was sent to',
  why: 'the company finds out whether an email arrived',
  kept: keeps.emails,
} as const;

export const deliveryData: readonly TableOfData[] = [
  {
    table: 'mails',
    holds: 'emails about gifts, without their text',
    rows: { received: ofTheirGift, wrote: `(t.kind in ('THANKS', 'DECISION') and ${ofGiftSent})` },
    columns: {
      kind: technical(because.word),
      state: technical(because.word),
      address: personal({ ...sentTo, of: ['received', 'wrote'], becomes: 'null' }),
      resend_key: technical('an id'),
    },
  },
  {
    table: 'approval_mails',
    holds: 'emails about orders that wait or were decided, without their text',
    rows: { received: 't.member_id = any($2::bigint[])' },
    goes: ['received'],
    columns: {
      ...technicalColumns(because.word, 'kind', 'state'),
      bundle: technical('a hash of ids'),
      address: personal({ ...sentTo, of: ['received'] }),
    },
  },
  {
    table: 'manager_mails',
    holds: 'emails to managers about automations, without their text',
    rows: { received: 't.member_id = any($2::bigint[])' },
    columns: {
      ...technicalColumns(because.word, 'kind', 'state'),
      address: personal({ ...sentTo, of: ['received'], becomes: 'null' }),
    },
  },
  {
    table: 'digest_mails',
    holds: 'weekly emails to people and monthly ones to managers, without their text',
    rows: { received: 't.member_id = any($2::bigint[])' },
    goes: ['received'],
    columns: {
      ...technicalColumns(because.word, 'kind', 'state'),
      address: personal({ ...sentTo, of: ['received'] }),
    },
  },
  {
    table: 'bulk_actions',
    holds: 'actions on many gifts',
    key: [['id', 'bigint']],
    rows: { did: `(t.actor = 'USER' and t.actor_id = any($3::bigint[]))` },
    columns: {
      ...technicalColumns(because.word, 'action', 'actor'),
      filter: personal({
        of: ['named'],
        what: 'what was searched for',
        why: 'the action resumes after a restart',
        search: 'replace',
        kept: keeps.always,
      }),
      actor_name: personal({
        of: ['did', 'named'],
        what: 'the name of the person who started it',
        why: 'colleagues know whom to ask',
        becomes: 'null',
        search: 'remove',
        kept: keeps.always,
      }),
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
    },
  },
  {
    table: 'bulk_action_gifts',
    holds: 'what came of each gift of such an action',
    columns: technicalColumns(because.word, 'outcome', 'reason'),
  },
];
