import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  CsvQuery,
  MemberBalance,
  MemberBalancePage,
  MemberBalanceResponse,
  PageQuery,
  WorkspaceBalance,
} from '../types.ts';

/** What is left in budgets, in one currency. */
export class Balances extends Resource {
  /** What is left in the workspace's budget. */
  ofWorkspace(currency: string, options: CallOptions = {}): Promise<WorkspaceBalance> {
    return this.call('GET /balances/workspaces/currencies/{currency}', { path: { currency } }, options);
  }

  /** What is left in the budget of a member. */
  ofMember(employeeNumber: string, currency: string, options: CallOptions = {}): Promise<MemberBalance> {
    return this.call(
      'GET /balances/members/{employeeNumber}/currencies/{currency}',
      { path: { employeeNumber, currency } },
      options,
    );
  }

  /** A page of members with what is left in their budgets. */
  ofMembers(currency: string, query: PageQuery = {}, options: CallOptions = {}): Promise<MemberBalancePage> {
    return this.call('GET /balances/members/currencies/{currency}', { path: { currency }, query }, options);
  }

  /** All members with a budget, for `for await`. */
  ofAllMembers(currency: string, options: CallOptions = {}): AsyncGenerator<MemberBalanceResponse, void> {
    return eachElement(
      (page) => this.ofMembers(currency, { page, size: usualSize }, options),
      ({ memberBalanceResponses }) => memberBalanceResponses,
    );
  }

  /** The same as a CSV file, as it comes. */
  csv(currency: string, query: CsvQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /balances/members/currencies/{currency}', { path: { currency }, query }, options);
  }
}
