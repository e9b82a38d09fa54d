import Type from 'typebox';
import { requestId } from './gift-event.ts';
import { aMoment, named } from './schema.ts';

const id = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });
const customerRequestId = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'What the sender called the order in X-Customer-Request-Id.',
  examples: ['bonus-2026-11'],
});

/** What happens to orders. */
export const orderEvents = {
  'order.completed': {
    meaning: 'The gifts of an order were issued.',
    data: named(
      'OrderCompletedData',
      Type.Object({
        requestId,
        customerRequestId,
        orderId: id('The id of the order.', 1_001),
        gifts: count('How many gifts were issued.', 3),
        total: Type.Number({ description: 'The sum of their amounts.', examples: [75] }),
        currency: Type.String({ description: 'ISO 4217 code.', examples: ['CAD'] }),
      }),
    ),
  },
  'order.failed': {
    meaning:
      'An order failed: no gift of it was issued. If an operator retries it, another event of the same requestId follows.',
    data: named('OrderFailedData', Type.Object({ requestId, customerRequestId })),
  },
  'order.waiting': {
    meaning:
      'An order waits for approval. If a second level is asked, another event of the same requestId follows, with that level.',
    data: named(
      'OrderWaitingData',
      Type.Object({
        requestId,
        customerRequestId,
        ruleId: id('The rule that asked for approval.', 1),
        level: count('The level that is asked.', 1),
        decideBy: aMoment('When it is declined without a decision.', '2026-11-22T17:31:00.000Z'),
      }),
    ),
  },
  'order.approved': {
    meaning: 'An order that waited was approved by all levels. order.completed follows.',
    data: named(
      'OrderApprovedData',
      Type.Object({ requestId, customerRequestId, decidedBy: id('The member who decided.', 5) }),
    ),
  },
  'order.declined': {
    meaning: 'An order that waited was declined, or no decision came in time. order.failed follows.',
    data: named(
      'OrderDeclinedData',
      Type.Object({
        requestId,
        customerRequestId,
        decidedBy: Type.Unsafe<number | null>({
          type: ['integer', 'null'],
          description: 'The member who decided; null if no decision came in time.',
          examples: [5],
        }),
      }),
    ),
  },
} as const;
