import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type {
  Activity,
  CoveragePage,
  CoverageQuery,
  CsvQuery,
  FairnessPage,
  FairnessQuery,
  LastRecognized,
  LastRecognizedPage,
  LastRecognizedQuery,
  NotRecognizedPage,
  NotRecognizedQuery,
  Overview,
  PageQuery,
  Series,
  SeriesQuery,
  TaxLine,
  TaxLogPage,
  TaxLogQuery,
  TeamActivityPage,
} from '../types.ts';

const activity = { method: 'GET', path: '/reports/teams/activity' } as const;
const lastRecognized = { method: 'GET', path: '/reports/members/last-recognized' } as const;
const overview = { method: 'GET', path: '/reports/overview' } as const;
const series = { method: 'GET', path: '/reports/series' } as const;
const coverage = { method: 'GET', path: '/reports/coverage' } as const;
const fairness = { method: 'GET', path: '/reports/fairness' } as const;
const notRecognized = { method: 'GET', path: '/reports/members/not-recognized' } as const;
const taxLog = { method: 'GET', path: '/reports/tax-log' } as const;
const asCsv = { headers: { Accept: 'text/csv' } };

/** Who was recognized, when last, and how many of each group: as a page, element by element, or as a CSV file. */
export class Reports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of gifts and shoutouts, newest first. */
  async teamActivity(query: PageQuery = {}, { signal }: CallOptions = {}): Promise<TeamActivityPage> {
    return (await this.#transport.json<TeamActivityPage>({ ...activity, query, signal })).body;
  }

  /** All gifts and shoutouts, newest first, for `for await`. One that is given meanwhile can make another appear twice. */
  allTeamActivity(options: CallOptions = {}): AsyncGenerator<Activity, void> {
    return eachElement(
      (page) => this.teamActivity({ page, size: usualSize }, options),
      ({ activities }) => activities,
    );
  }

  /** All gifts and shoutouts as a CSV file, as it comes. A workspace can read two files at once. */
  teamActivityCsv(query: CsvQuery = {}, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...activity, ...asCsv, query, signal });
  }

  /** A page of members with the day of their last recognition, the most recently recognized first. */
  async lastRecognized(query: LastRecognizedQuery = {}, { signal }: CallOptions = {}): Promise<LastRecognizedPage> {
    return (await this.#transport.json<LastRecognizedPage>({ ...lastRecognized, query, signal })).body;
  }

  /** All members with the day of their last recognition, for `for await`. */
  allLastRecognized(
    filters: Omit<LastRecognizedQuery, 'page'> = {},
    options: CallOptions = {},
  ): AsyncGenerator<LastRecognized, void> {
    return eachElement(
      (page) => this.lastRecognized({ size: usualSize, ...filters, page }, options),
      ({ teamMembers }) => teamMembers,
    );
  }

  /** All members with the day of their last recognition as a CSV file, as it comes. */
  lastRecognizedCsv(
    query: Omit<LastRecognizedQuery, keyof PageQuery> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...lastRecognized, ...asCsv, query, signal });
  }

  /** What needs attention, and this month beside the same days of the month before. */
  async overview(query: { asOf?: string } = {}, { signal }: CallOptions = {}): Promise<Overview> {
    return (await this.#transport.json<Overview>({ ...overview, query, signal })).body;
  }

  /** Gifts, shoutouts and amounts by day, week or month. */
  async series(query: SeriesQuery = {}, { signal }: CallOptions = {}): Promise<Series> {
    return (await this.#transport.json<Series>({ ...series, query, signal })).body;
  }

  /** The points of a series as a CSV file. */
  seriesCsv(query: SeriesQuery & CsvQuery = {}, { signal }: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...series, ...asCsv, query, signal });
  }

  /** How many people of each department, team, location, manager, cost centre or month were recognized. */
  async coverage(query: CoverageQuery = {}, { signal }: CallOptions = {}): Promise<CoveragePage> {
    return (await this.#transport.json<CoveragePage>({ ...coverage, query, signal })).body;
  }

  /** All groups as a CSV file. */
  coverageCsv(
    query: Omit<CoverageQuery, keyof PageQuery> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...coverage, ...asCsv, query, signal });
  }

  /** How many of each manager's people were recognized, the smallest share first. */
  async fairness(query: FairnessQuery = {}, { signal }: CallOptions = {}): Promise<FairnessPage> {
    return (await this.#transport.json<FairnessPage>({ ...fairness, query, signal })).body;
  }

  /** All managers as a CSV file. */
  fairnessCsv(
    query: Omit<FairnessQuery, keyof PageQuery> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...fairness, ...asCsv, query, signal });
  }

  /** People who were never or not lately recognized, those never recognized first. */
  async notRecognized(query: NotRecognizedQuery = {}, { signal }: CallOptions = {}): Promise<NotRecognizedPage> {
    return (await this.#transport.json<NotRecognizedPage>({ ...notRecognized, query, signal })).body;
  }

  /** All of them as a CSV file, as it comes. */
  notRecognizedCsv(
    query: Omit<NotRecognizedQuery, keyof PageQuery> & CsvQuery = {},
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...notRecognized, ...asCsv, query, signal });
  }

  /** A page of the gifts of a year by member, as employers are asked to keep them. It is not tax advice. */
  async taxLog(query: TaxLogQuery, { signal }: CallOptions = {}): Promise<TaxLogPage> {
    return (await this.#transport.json<TaxLogPage>({ ...taxLog, query: { ...query }, signal })).body;
  }

  /** All lines of the tax log that fit, for `for await`. */
  async *allOfTaxLog(query: TaxLogQuery, options: CallOptions = {}): AsyncGenerator<TaxLine, void> {
    let page = await this.taxLog({ size: usualSize, ...query }, options);
    yield* page.lines;
    while (page.next !== null) {
      page = await this.taxLog({ size: usualSize, ...query, after: page.next }, options);
      yield* page.lines;
    }
  }

  /** The tax log as a CSV file, as it comes. */
  taxLogCsv(
    query: Omit<TaxLogQuery, 'size' | 'after'> & CsvQuery,
    { signal }: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#transport.bytes({ ...taxLog, ...asCsv, query: { ...query }, signal });
  }
}
