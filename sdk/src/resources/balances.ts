import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { MemberBalanceResponse } from '../types.ts';

/** What is left in budgets, in one currency. */
export class Balances extends Resource {
  /** What is left in the workspace's budget. */
  readonly ofWorkspace = this.method('GET /balances/workspaces/currencies/{currency}');
  /** What is left in the budget of a member. */
  readonly ofMember = this.method('GET /balances/members/{employeeNumber}/currencies/{currency}');
  /** A page of members with what is left in their budgets. */
  readonly ofMembers = this.method('GET /balances/members/currencies/{currency}', 'query');

  /** All members with a budget, for `for await`. */
  ofAllMembers(currency: string, options: CallOptions = {}): AsyncGenerator<MemberBalanceResponse, void> {
    return eachElement(
      (page) => this.ofMembers(currency, { page, size: usualSize }, options),
      ({ memberBalanceResponses }) => memberBalanceResponses,
    );
  }

  /** The same as a CSV file, as it comes. */
  readonly csv = this.file('GET /balances/members/currencies/{currency}', 'query');
}
