import Type, { type Static } from 'typebox';
import { budgetCurrency, money } from './budget.ts';
import { CsvQuery, PageFields, PageQuery } from './paging.ts';
import { examplePerson, formerName, named, nullable, query, ref } from './schema.ts';

export const WorkspaceBalance = named(
  'WorkspaceBalance',
  Type.Object(
    {
      balance: money('What the budget holds, with what is reserved for orders under way.', 4_000),
      amount: money('What new orders can draw on.', 3_900),
      currency: budgetCurrency,
    },
    { description: "The balance of the workspace's budget." },
  ),
);

export const MemberBalance = named(
  'MemberBalance',
  Type.Object(
    { amount: money('What new orders of the member can draw on.', 180), currency: budgetCurrency },
    { description: "The balance of a member's budget." },
  ),
);

const memberId = Type.Integer({ description: 'The id of the member.', examples: [7] });

const MemberBalanceResponse = named(
  'MemberBalanceResponse',
  Type.Object(
    {
      amount: money('What new orders of the member can draw on.', 180),
      employeeNumber: nullable<string>('string', {
        description: "The company's own number for the person.",
        examples: [examplePerson.employeeNumber],
      }),
      memberId,
      user: formerName(memberId, 'memberId'),
    },
    { description: 'The balance of one member.' },
  ),
);

export const MemberBalancePage = named(
  'MemberBalancePage',
  Type.Object(
    {
      ...PageFields,
      memberBalanceResponses: Type.Array(ref(MemberBalanceResponse), { description: 'In the order of member ids.' }),
    },
    { description: "A page of members' balances." },
  ),
);
export type WorkspaceBalance = Static<typeof WorkspaceBalance>;
export type MemberBalance = Static<typeof MemberBalance>;
export type MemberBalancePage = Static<typeof MemberBalancePage>;

export const BalanceQuery = query({ ...CsvQuery, ...PageQuery });
export type BalanceQuery = Static<typeof BalanceQuery>;

export const CurrencyParams = Type.Object({ currency: budgetCurrency });
export const MemberBalanceParams = Type.Object({
  employeeNumber: Type.String({
    format: 'text',
    maxLength: 64,
    description: "The member's employee number.",
    examples: [examplePerson.employeeNumber],
  }),
  currency: budgetCurrency,
});

export const balanceSchemas = [WorkspaceBalance, MemberBalance, MemberBalanceResponse, MemberBalancePage];
