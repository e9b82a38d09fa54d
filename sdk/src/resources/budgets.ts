import { Resource } from '../resource.ts';

/** What may be spent, what was, and the ledger that proves it. */
export class Budgets extends Resource {
  /** A page of budgets with their balances. */
  readonly list = this.method('GET /budgets', 'query');
  /** All budgets, for `for await`. */
  readonly all = this.eachPage('GET /budgets', 'budgets');
  /** All budgets as a CSV file, as it comes. */
  readonly csv = this.file('GET /budgets', 'query');
  /** Sets a budget: orders draw on it from now on. */
  readonly create = this.method('POST /budgets', 'body', { once: true });
  /** One budget with its balances. */
  readonly retrieve = this.method('GET /budgets/{id}');
  /** Changes the limit for one gift, the allowance or the thresholds. A new allowance is granted at once. */
  readonly update = this.method('PATCH /budgets/{id}', 'body', { once: true });
  /** Closes a budget: what is available is withdrawn, and orders draw on another one, or on none. */
  readonly delete = this.method('DELETE /budgets/{id}');
  /** Grants money. */
  readonly grant = this.keyed('POST /budgets/{id}/grants', 'body');
  /** Takes back what is available. */
  readonly withdraw = this.keyed('POST /budgets/{id}/withdrawals', 'body');
  /** A page of what moved the money of a budget, the newest first. */
  readonly entries = this.method('GET /budgets/{id}/entries', 'query');
  /** All entries of a budget as a CSV file, as it comes. */
  readonly entriesCsv = this.file('GET /budgets/{id}/entries', 'query');
  /** One entry with the orders or gifts that it is about, and the text that its hash is made of. */
  readonly entry = this.method('GET /budgets/{id}/entries/{number}');
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `update`. */
  readonly change = this.update;
  /** @deprecated Use `delete`. */
  readonly close = this.delete;
}
