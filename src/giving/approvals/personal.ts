import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';
import { ofTheirOrder } from '../orders/personal.ts';

const whoDecides = 'people cannot decide about their own orders';
const parties = 'until 90 days after the order was completed';

export const approvalsData: readonly TableOfData[] = [
  {
    table: 'rules',
    holds: 'which orders are rejected or wait for approval',
    key: [['id', 'bigint']],
    columns: {
      ...technicalColumns(because.word, 'measure', 'currency', 'outcome'),
      ...technicalColumns('ids and words from fixed lists', 'source', 'levels'),
      name: personal({
        of: ['named'],
        what: 'the name of a rule',
        why: 'approvers see it',
        search: 'replace',
        kept: keeps.always,
      }),
      message: personal({
        of: ['named'],
        what: 'what senders are told',
        why: 'senders know what to do',
        search: 'replace',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'order_approvals',
    holds: 'why an order waits or waited',
    key: [['request_id', 'uuid']],
    columns: {
      rule_name: personal({
        of: ['named'],
        what: 'the name of the rule',
        why: 'approvers see it',
        search: 'replace',
        kept: keeps.always,
      }),
      levels: technical('ids and words from fixed lists'),
      state: technical(because.word),
      body_hash: technical('a hash of the order, which the order keeps too after an erasure'),
    },
  },
  {
    table: 'approval_requests',
    holds: 'orders that are asked about together',
    columns: { key: technical('a hash, until all orders are here') },
  },
  {
    table: 'order_decisions',
    holds: 'who decided about an order',
    key: [
      ['request_id', 'uuid'],
      ['level', 'int'],
    ],
    rows: {
      wrote: '(t.decided_by = any($2::bigint[]) or t.decided_user = any($3::bigint[]))',
      received: ofTheirOrder,
    },
    columns: {
      decision: technical(because.word),
      comment: personal({
        of: ['wrote', 'received', 'named'],
        what: 'what an approver wrote to the sender',
        why: 'the sender learns why',
        becomes: 'null',
        search: 'replace',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'order_parties',
    holds: 'who may not decide about an order',
    key: [['request_id', 'uuid']],
    rows: { wrote: ofTheirOrder },
    columns: {
      askers: personal({
        of: ['wrote', 'named'],
        what: 'ids, addresses and numbers of the sender and the caller',
        why: whoDecides,
        becomes: `'{}'::text[]`,
        search: 'replace',
        kept: parties,
      }),
      recipients: personal({
        of: ['received', 'named'],
        what: 'ids, addresses and numbers of the recipients',
        why: whoDecides,
        search: 'replace',
        kept: parties,
      }),
      origin: personal({
        of: ['named'],
        what: 'where the order came from',
        why: whoDecides,
        search: 'replace',
        kept: parties,
      }),
    },
  },
  ...['sender_month_counts', 'sender_month_orders', 'sender_months'].map((table) => ({
    table,
    holds: 'what senders have sent in a month',
    columns: { currency: technical(because.word) },
  })),
];
