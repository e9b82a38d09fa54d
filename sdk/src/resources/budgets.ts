import type { KeyOptions, Replayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type {
  Budget,
  BudgetChange,
  BudgetPage,
  BudgetQuery,
  CsvQuery,
  LedgerEntry,
  LedgerEntryDetails,
  LedgerEntryPage,
  MoneyGrant,
  NewBudget,
  PageQuery,
} from '../types.ts';

/** What may be spent, what was, and the ledger that proves it. */
export class Budgets extends Resource {
  /** A page of budgets with their balances. */
  list(query: BudgetQuery = {}, options: CallOptions = {}): Promise<BudgetPage> {
    return this.call('GET /budgets', { query }, options);
  }

  /** All budgets, for `for await`. */
  all(filters: Omit<BudgetQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Budget, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ budgets }) => budgets,
    );
  }

  /** All budgets as a CSV file, as it comes. */
  csv(
    query: Omit<BudgetQuery, keyof PageQuery> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /budgets', { query }, options);
  }

  /** Sets a budget: orders draw on it from now on. */
  create(budget: NewBudget, options: CallOptions = {}): Promise<Budget> {
    return this.call('POST /budgets', { body: budget, once: true }, options);
  }

  /** One budget with its balances. */
  retrieve(id: number, options: CallOptions = {}): Promise<Budget> {
    return this.call('GET /budgets/{id}', { path: { id } }, options);
  }

  /** Changes the limit for one gift, the allowance or the thresholds. A new allowance is granted at once. */
  update(id: number, change: BudgetChange, options: CallOptions = {}): Promise<Budget> {
    return this.call('PATCH /budgets/{id}', { path: { id }, body: change, once: true }, options);
  }

  /** Closes a budget: what is available is withdrawn, and orders draw on another one, or on none. */
  delete(id: number, options: CallOptions = {}): Promise<void> {
    return this.call('DELETE /budgets/{id}', { path: { id } }, options);
  }

  /** Grants money. */
  grant(id: number, grant: MoneyGrant, options: KeyOptions = {}): Promise<LedgerEntry & Replayed> {
    return this.callWithKey('POST /budgets/{id}/grants', { path: { id }, body: grant }, options);
  }

  /** Takes back what is available. */
  withdraw(id: number, grant: MoneyGrant, options: KeyOptions = {}): Promise<LedgerEntry & Replayed> {
    return this.callWithKey('POST /budgets/{id}/withdrawals', { path: { id }, body: grant }, options);
  }

  /** A page of what moved the money of a budget, the newest first. */
  entries(id: number, query: PageQuery = {}, options: CallOptions = {}): Promise<LedgerEntryPage> {
    return this.call('GET /budgets/{id}/entries', { path: { id }, query }, options);
  }

  /** All entries of a budget as a CSV file, as it comes. */
  entriesCsv(id: number, query: CsvQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /budgets/{id}/entries', { path: { id }, query }, options);
  }

  /** One entry with the orders or gifts that it is about, and the text that its hash is made of. */
  entry(id: number, number: number, options: CallOptions = {}): Promise<LedgerEntryDetails> {
    return this.call('GET /budgets/{id}/entries/{number}', { path: { id, number } }, options);
  }

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `update`. */
  readonly change = this.update;

  /** @deprecated Use `delete`. */
  readonly close = this.delete;
}
