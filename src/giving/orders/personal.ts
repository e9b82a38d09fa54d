import {
  because,
  keeps,
  personal,
  type TableOfData,
  technical,
  technicalColumns,
} from '../../ground/values/personal.ts';

/** Holds for rows `t` about orders that the person sent. */
export const ofTheirOrder = `
  t.request_id in (select r.request_id
                     from order_requests r
                    where r.workspace_id = $1
                      and r.sender_id = any($2::bigint[]))`;

export const ordersData: readonly TableOfData[] = [
  {
    table: 'order_requests',
    holds: 'accepted orders, as they were sent',
    key: [['request_id', 'uuid']],
    rows: { wrote: 't.sender_id = any($2::bigint[])' },
    columns: {
      sender_name: personal({
        of: ['wrote', 'named'],
        what: 'the name of the sender',
        why: 'recipients see who a gift is from',
        becomes: `''`,
        search: 'replace',
        kept: keeps.always,
      }),
      customer_request_id: personal({
        of: ['named'],
        what: 'the reference of the caller',
        why: 'a program finds its order again',
        search: 'replace',
        kept: keeps.always,
      }),
      idempotency_key: technical('chosen by the caller, who is told to put no personal data in it'),
      ...technicalColumns(because.word, 'currency', 'language', 'caller_role', 'occasion'),
      body: personal({
        of: ['wrote', 'received', 'named'],
        what: 'the order as it was sent: recipients, messages, amounts, a note for approvers',
        why: 'orders are fulfilled from it, and a repeated request is recognized',
        erasedBy:
          'gifts of the person keep their amount and a hash; gifts to others stay, without the texts of an erased sender',
        search: 'replace',
        isHashed: true,
        kept: keeps.texts,
      }),
      traceparent: technical('the id of a trace'),
    },
  },
  {
    table: 'orders',
    holds: 'what became of orders',
    key: [['request_id', 'uuid']],
    columns: {
      failure: personal({
        of: ['named'],
        what: 'why an order failed',
        why: 'the sender can repair it',
        search: 'replace',
        kept: keeps.always,
      }),
    },
  },
  {
    table: 'held_orders',
    holds: 'orders that wait for approval',
    columns: {
      recipient_keys: personal({
        of: ['received'],
        what: 'addresses and numbers of the recipients',
        why: 'limits of a recipient count orders that wait',
        stays: 'until the order is decided. A person is erased after that',
        kept: 'until the order is decided',
      }),
    },
  },
];
