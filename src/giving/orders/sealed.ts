import { notSealed, type SealedRecord, sealAs } from '../../company/workspaces/seals.ts';

const { key, optional, plain, quoted, moment } = sealAs;

const share = { checked: 'the shares of people are the sums of their orders' } as const;

/** Who sent gifts, in which currency, when, and from which budget. Sealed when the gifts are issued; nothing changes after that. */
export const orderRecord: SealedRecord = {
  name: 'order',
  called: (key) => `'Order ' || ${key}`,
  key: 'r.request_id::text',
  at: (key) => `r.request_id = ${key}::uuid`,
  joins: `
    join orders o             on o.workspace_id = r.workspace_id and o.request_id = r.request_id
    left join order_budgets b on b.workspace_id = r.workspace_id and b.request_id = r.request_id`,
  where: 'o.id is not null',
  tables: [
    {
      table: 'order_requests',
      alias: 'r',
      columns: {
        workspace_id: key,
        request_id: key,
        token_id: plain,
        sender_id: plain,
        sender_name: notSealed.personal,
        customer_request_id: { open: "the caller's own reference" },
        idempotency_key: notSealed.idempotency,
        currency: quoted,
        language: { open: 'the language of emails and pages' },
        body: { checked: 'its amounts add up to the gifts; its texts are personal data' },
        accepted_at: moment,
        traceparent: { open: 'the trace of the request, for operators' },
        caller_role: { open: 'the role of its caller then, for rules' },
        named_budget_id: { open: 'the budget that it asked for; the one that it drew on is sealed' },
        occasion: { open: 'how its gifts greet their recipients' },
      },
    },
    {
      table: 'orders',
      alias: 'o',
      columns: {
        workspace_id: key,
        request_id: key,
        id: plain,
        gift_count: plain,
        failure: quoted,
        finished_at: moment,
      },
    },
    {
      table: 'order_budgets',
      alias: 'b',
      columns: {
        workspace_id: key,
        request_id: key,
        budget_id: optional,
        amount: optional,
        share_member_id: share,
        share_month: share,
      },
    },
  ],
};
