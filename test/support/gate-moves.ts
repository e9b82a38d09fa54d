import fc from './fast-check.ts';

/** What the budget of the gate's model has. */
export const money = 2_000;
export const names = ['lucie', 'elena', 'olga'] as const;
const amount = fc.integer({ min: 1, max: 40 }).map((tens) => tens * 10);
const who = fc.constantFrom(0, 1, 2);
/** A person has three records: the one of their account's address, one that may be merged into it, and another one. */
export const records = ['', '.alias', '.other'] as const;
const record = fc.constantFrom(...records);
const decision = fc.constantFrom('APPROVED' as const, 'DECLINED' as const);

/** What happens to orders, rules, people and time. */
export const move = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      amounts: fc.array(amount, { minLength: 1, maxLength: 3 }),
      to: who,
      toRecord: record,
      /** The user who sends it; 3: a token. */
      by: fc.constantFrom(0, 1, 2, 3, 3, 3),
      /** The batch that it belongs to; null: none. */
      batch: fc.constantFrom(null, null, 'year-end', 'launch'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('decide' as const), order: fc.nat(), by: who, decision }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      order: fc.nat(),
      decisions: fc.tuple(decision, decision),
    }),
  },
  fc.record({
    do: fc.constant('rule' as const),
    isOn: fc.boolean(),
    above: amount,
    levels: fc.constantFrom(1, 2),
    rejects: fc.nat(4),
  }),
  fc.record({ do: fc.constant('pass' as const), days: fc.constantFrom(1, 4, 8) }),
  fc.record({ do: fc.constant('retry' as const), order: fc.nat() }),
  fc.record({ do: fc.constant('leave' as const), who: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('return' as const), who: fc.constantFrom(0, 1) }),
  fc.record({ do: fc.constant('merge' as const), who }),
  fc.record({ do: fc.constant('split' as const), who: fc.constantFrom(0, 1) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('link' as const), who, to: record }) },
  fc.record({ do: fc.constant('fulfil' as const) }),
  // Requests are closed that are complete; later also those that no order has joined for a minute.
  { weight: 2, arbitrary: fc.record({ do: fc.constant('close' as const), later: fc.boolean() }) },
);
