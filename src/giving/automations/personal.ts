import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const neverTwice = 'nothing is given twice for the same day';

export const automationsData: readonly TableOfData[] = [
  {
    table: 'automations',
    holds: 'what each automation says',
    key: [['id', 'bigint']],
    columns: {
      state: technical(because.word),
      terms: personal({
        of: ['named'],
        what: 'the texts and the choice of people',
        why: 'it is what the automation does',
        search: 'replace',
        kept: keeps.always,
      }),
      pause_note: personal({
        of: ['named'],
        what: 'why it was paused',
        why: 'colleagues know why',
        search: 'replace',
        kept: 'until it runs again',
      }),
      paused_by: personal({
        of: ['named'],
        what: 'the name of the person who paused it',
        why: 'colleagues know whom to ask',
        search: 'remove',
        kept: 'until it runs again',
      }),
    },
  },
  {
    table: 'automation_looks',
    holds: 'how far each automation has come',
    columns: { time_zone: technical(because.settings) },
  },
  {
    table: 'occurrences',
    holds: 'what automations did for a person and a day, once',
    key: [['id', 'bigint']],
    rows: { received: 't.member_id = any($2::bigint[])', wrote: 't.asked_member_id = any($2::bigint[])' },
    columns: {
      ...technicalColumns(because.word, 'state', 'reason', 'currency', 'language'),
      detail: personal({
        of: ['received', 'named'],
        what: 'why nothing was sent',
        why: 'the company can repair it',
        becomes: 'null',
        search: 'replace',
        kept: keeps.always,
      }),
      message: personal({
        of: ['received', 'named'],
        what: 'the text that was sent',
        why: neverTwice,
        becomes: 'null',
        search: 'replace',
        kept: keeps.texts,
      }),
      line: personal({
        of: ['received', 'wrote', 'named'],
        what: 'the line of the manager',
        why: 'it is part of the message',
        becomes: 'null',
        search: 'replace',
        kept: keeps.texts,
      }),
    },
  },
  {
    table: 'automation_batches',
    holds: 'orders and shoutouts of automations on their way',
    key: [['id', 'uuid']],
    columns: {
      kind: technical(because.word),
      body: personal({
        of: ['named'],
        what: 'the order or shoutout',
        why: neverTwice,
        search: 'replace',
        kept: keeps.always,
      }),
    },
  },
];
