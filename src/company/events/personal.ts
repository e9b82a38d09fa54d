import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

const answer = {
  of: ['named'],
  why: 'the company finds out why a delivery failed',
  search: 'replace',
  kept: 'until the webhook is deleted, and as the retention of webhook attempts says: 90 days unless the workspace sets another number',
} as const;

export const eventsData: readonly TableOfData[] = [
  {
    table: 'events',
    holds: 'what has happened, for programs of the company: ids, never names',
    key: [['number', 'bigint']],
    columns: {
      type: technical(because.word),
      data: personal({
        of: ['named'],
        what: 'the reference that the caller gave an order',
        why: 'a program finds its order again',
        search: 'replace',
        kept: 'as the setting of the installation says: 30 days by default',
      }),
      traceparent: technical('the id of a trace'),
    },
  },
  {
    table: 'webhooks',
    holds: 'where events are sent to',
    key: [['id', 'bigint']],
    columns: {
      url: technical('an address of the company'),
      ...technicalColumns(because.word, 'types', 'ordering', 'disabled_reason'),
      description: personal({ ...answer, what: 'what a webhook is for', kept: keeps.always }),
      posts: technical('counts'),
      recent: personal({ ...answer, what: 'the latest responses of the endpoint' }),
    },
  },
  {
    table: 'webhook_attempts',
    holds: 'deliveries that failed',
    key: [['id', 'bigint']],
    columns: {
      error: technical('an error code'),
      answer: personal({ ...answer, what: 'the response of the endpoint' }),
    },
  },
];
