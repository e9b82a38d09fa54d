import { erasedBody } from '../../company/workspaces/erased-bodies.ts';
import {
  because,
  keeps,
  neutral,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const activityOf = (column: string) => `
  exists (select
            from activities a
           where a.workspace_id = $1
             and a.number = t.number
             and a.${column} = any($2::bigint[]))`;

const shoutoutText = {
  of: ['wrote', 'received', 'named'],
  why: 'people thank each other',
  search: 'replace',
  kept: keeps.texts,
} as const;

export const recognitionData: readonly TableOfData[] = [
  {
    table: 'activities',
    holds: 'recognition: who thanked whom, and when',
    key: [['number', 'bigint']],
    rows: {
      received: `(t.type = 'SHOUTOUT' and t.receiver_id = any($2::bigint[]))`,
      wrote: `(t.type = 'SHOUTOUT' and t.sender_id = any($2::bigint[]))`,
    },
    columns: {
      ...technicalColumns(because.word, 'type', 'status'),
      description: personal({ ...shoutoutText, what: 'the text of a shoutout', becomes: neutral }),
    },
  },
  {
    table: 'shoutouts',
    holds: 'shoutouts as they were sent, and who decided them',
    key: [['number', 'bigint']],
    rows: { received: activityOf('receiver_id'), wrote: activityOf('sender_id') },
    columns: {
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
      body: personal({
        ...shoutoutText,
        what: 'the shoutout as it was sent: recipient and text',
        why: 'a repeated request is recognized',
        becomes: erasedBody('t.body'),
      }),
      decision_reason: personal({
        of: ['wrote', 'received', 'named'],
        what: 'why a shoutout was declined',
        why: 'the sender learns why',
        becomes: 'null',
        search: 'replace',
        kept: shoutoutText.kept,
      }),
    },
  },
  {
    table: 'activity_days',
    holds: 'counts of recognition by day',
    columns: technicalColumns(because.word, 'type', 'currency'),
  },
  {
    table: 'reasons',
    holds: 'reasons for recognition',
    columns: { description: technical('the text of a reason, for all people') },
  },
];
