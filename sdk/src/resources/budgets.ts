import { type KeyOptions, keyOf, type Replayed, withReplayed } from '../idempotency.ts';
import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
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

const asCsv = { headers: { Accept: 'text/csv' } };

/** What may be spent, what was, and the ledger that proves it. */
export class Budgets {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of budgets with their balances. */
  async list(query: BudgetQuery = {}, { signal }: CallOptions = {}): Promise<BudgetPage> {
    return (await this.#transport.json<BudgetPage>({ method: 'GET', path: '/budgets', query, signal })).body;
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
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: '/budgets', ...asCsv, query, signal });
  }

  /** Sets a budget: orders draw on it from now on. */
  async add(budget: NewBudget, { signal }: CallOptions = {}): Promise<Budget> {
    const call = { method: 'POST', path: '/budgets', body: budget, once: true, signal } as const;
    return (await this.#transport.json<Budget>(call)).body;
  }

  /** One budget with its balances. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Budget> {
    return (await this.#transport.json<Budget>({ method: 'GET', path: `/budgets/${id}`, signal })).body;
  }

  /** Changes the limit for one gift, the allotment or the thresholds. A new allotment is granted at once. */
  async change(id: number, change: BudgetChange, { signal }: CallOptions = {}): Promise<Budget> {
    const call = { method: 'PATCH', path: `/budgets/${id}`, body: change, once: true, signal } as const;
    return (await this.#transport.json<Budget>(call)).body;
  }

  /** Closes a budget: what is available is withdrawn, and orders draw on another one, or on none. */
  async close(id: number, { signal }: CallOptions = {}): Promise<void> {
    await this.#transport.json({ method: 'DELETE', path: `/budgets/${id}`, signal });
  }

  /** Grants money. */
  grant(id: number, grant: MoneyGrant, options: KeyOptions = {}): Promise<LedgerEntry & Replayed> {
    return this.#move(`/budgets/${id}/grants`, grant, options);
  }

  /** Takes back what is available. */
  withdraw(id: number, grant: MoneyGrant, options: KeyOptions = {}): Promise<LedgerEntry & Replayed> {
    return this.#move(`/budgets/${id}/withdrawals`, grant, options);
  }

  /** A page of what moved the money of a budget, the newest first. */
  async entries(id: number, query: PageQuery = {}, { signal }: CallOptions = {}): Promise<LedgerEntryPage> {
    const call = { method: 'GET', path: `/budgets/${id}/entries`, query, signal } as const;
    return (await this.#transport.json<LedgerEntryPage>(call)).body;
  }

  /** All entries of a budget as a CSV file, as it comes. */
  entriesCsv(id: number, query: CsvQuery = {}, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ method: 'GET', path: `/budgets/${id}/entries`, ...asCsv, query, signal });
  }

  /** One entry with the orders or gifts that it is about, and the text that its hash is made of. */
  async entry(id: number, number: number, { signal }: CallOptions = {}): Promise<LedgerEntryDetails> {
    const call = { method: 'GET', path: `/budgets/${id}/entries/${number}`, signal } as const;
    return (await this.#transport.json<LedgerEntryDetails>(call)).body;
  }

  async #move(path: string, body: MoneyGrant, options: KeyOptions): Promise<LedgerEntry & Replayed> {
    const call = { method: 'POST', path, body, idempotencyKey: keyOf(options), signal: options.signal } as const;
    return withReplayed(await this.#transport.json<LedgerEntry>(call), options);
  }
}
