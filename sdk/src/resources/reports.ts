import { eachAfter, eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
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
  TaxTotalsPage,
  TaxTotalsQuery,
  TeamActivityPage,
} from '../types.ts';

/** Who was recognized, when last, and how many of each group: as a page, element by element, or as a CSV file. */
export class Reports extends Resource {
  /** A page of gifts and shoutouts, newest first. */
  teamActivity(query: PageQuery = {}, options: CallOptions = {}): Promise<TeamActivityPage> {
    return this.call('GET /reports/teams/activity', { query }, options);
  }

  /** All gifts and shoutouts, newest first, for `for await`. One that is given meanwhile can make another appear twice. */
  allTeamActivity(options: CallOptions = {}): AsyncGenerator<Activity, void> {
    return eachElement(
      (page) => this.teamActivity({ page, size: usualSize }, options),
      ({ activities }) => activities,
    );
  }

  /** All gifts and shoutouts as a CSV file, as it comes. A workspace can read two files at once. */
  teamActivityCsv(query: CsvQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/teams/activity', { query }, options);
  }

  /** A page of members with the day of their last recognition, the most recently recognized first. */
  lastRecognized(query: LastRecognizedQuery = {}, options: CallOptions = {}): Promise<LastRecognizedPage> {
    return this.call('GET /reports/members/last-recognized', { query }, options);
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
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/members/last-recognized', { query }, options);
  }

  /** What needs attention, and this month beside the same days of the month before. */
  overview(query: { asOf?: string } = {}, options: CallOptions = {}): Promise<Overview> {
    return this.call('GET /reports/overview', { query }, options);
  }

  /** Gifts, shoutouts and amounts by day, week or month. */
  series(query: SeriesQuery = {}, options: CallOptions = {}): Promise<Series> {
    return this.call('GET /reports/series', { query }, options);
  }

  /** The points of a series as a CSV file. */
  seriesCsv(query: SeriesQuery & CsvQuery = {}, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/series', { query }, options);
  }

  /** How many people of each department, team, location, manager, cost centre or month were recognized. */
  coverage(query: CoverageQuery = {}, options: CallOptions = {}): Promise<CoveragePage> {
    return this.call('GET /reports/coverage', { query }, options);
  }

  /** All groups as a CSV file. */
  coverageCsv(
    query: Omit<CoverageQuery, keyof PageQuery> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/coverage', { query }, options);
  }

  /** How many of each manager's people were recognized, the smallest share first. */
  fairness(query: FairnessQuery = {}, options: CallOptions = {}): Promise<FairnessPage> {
    return this.call('GET /reports/fairness', { query }, options);
  }

  /** All managers as a CSV file. */
  fairnessCsv(
    query: Omit<FairnessQuery, keyof PageQuery> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/fairness', { query }, options);
  }

  /** People who were never or not lately recognized, those never recognized first. */
  notRecognized(query: NotRecognizedQuery = {}, options: CallOptions = {}): Promise<NotRecognizedPage> {
    return this.call('GET /reports/members/not-recognized', { query }, options);
  }

  /** All of them as a CSV file, as it comes. */
  notRecognizedCsv(
    query: Omit<NotRecognizedQuery, keyof PageQuery> & CsvQuery = {},
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/members/not-recognized', { query }, options);
  }

  /** A page of the gifts of a year by member, as employers are asked to keep them. It is not tax advice. */
  taxLog(query: TaxLogQuery, options: CallOptions = {}): Promise<TaxLogPage> {
    return this.call('GET /reports/tax-log', { query }, options);
  }

  /** What each person got in a year by type, the largest sum first, beside the limits of the workspace. */
  taxTotals(query: TaxTotalsQuery, options: CallOptions = {}): Promise<TaxTotalsPage> {
    return this.call('GET /reports/tax-log/totals', { query }, options);
  }

  /** All lines of the tax log that fit, for `for await`. */
  allOfTaxLog(query: TaxLogQuery, options: CallOptions = {}): AsyncGenerator<TaxLine, void> {
    return eachAfter(
      query,
      (page) => this.taxLog(page, options),
      ({ lines }) => lines,
    );
  }

  /** The tax log as a CSV file, as it comes. */
  taxLogCsv(
    query: Omit<TaxLogQuery, 'size' | 'after'> & CsvQuery,
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.file('GET /reports/tax-log', { query }, options);
  }
}
