import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type {
  CsvQuery,
  MemberBalance,
  MemberBalancePage,
  MemberBalanceResponse,
  PageQuery,
  WorkspaceBalance,
} from '../types.ts';

/** What is left in budgets, in one currency. */
export class Balances {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What is left in the workspace's budget. */
  async ofWorkspace(currency: string, { signal }: CallOptions = {}): Promise<WorkspaceBalance> {
    const call = { method: 'GET', path: `/balances/workspaces/currencies/${currency}`, signal } as const;
    return (await this.#transport.json<WorkspaceBalance>(call)).body;
  }

  /** What is left in the budget of a member. */
  async ofMember(employeeNumber: string, currency: string, { signal }: CallOptions = {}): Promise<MemberBalance> {
    const path = `/balances/members/${encodeURIComponent(employeeNumber)}/currencies/${currency}`;
    return (await this.#transport.json<MemberBalance>({ method: 'GET', path, signal })).body;
  }

  /** A page of members with what is left in their budgets. */
  async ofMembers(currency: string, query: PageQuery = {}, { signal }: CallOptions = {}): Promise<MemberBalancePage> {
    const call = { method: 'GET', path: `/balances/members/currencies/${currency}`, query, signal } as const;
    return (await this.#transport.json<MemberBalancePage>(call)).body;
  }

  /** All members with a budget, for `for await`. */
  ofAllMembers(currency: string, options: CallOptions = {}): AsyncGenerator<MemberBalanceResponse, void> {
    return eachElement(
      (page) => this.ofMembers(currency, { page, size: usualSize }, options),
      ({ memberBalanceResponses }) => memberBalanceResponses,
    );
  }

  /** The same as a CSV file, as it comes. */
  csv(currency: string, query: CsvQuery = {}, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    const headers = { Accept: 'text/csv' };
    return this.#transport.bytes({
      method: 'GET',
      path: `/balances/members/currencies/${currency}`,
      headers,
      query,
      signal,
    });
  }
}
