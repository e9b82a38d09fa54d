import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type { PageQuery } from '../types/page.ts';
import type {
  Activity,
  CsvQuery,
  LastRecognized,
  LastRecognizedPage,
  LastRecognizedQuery,
  TeamActivityPage,
} from '../types/report.ts';

const activity = { method: 'GET', path: '/reports/teams/activity' } as const;
const lastRecognized = { method: 'GET', path: '/reports/members/last-recognized' } as const;
const asCsv = { headers: { Accept: 'text/csv' } };

/** Who was recognized, and when last: as a page, element by element, or as a CSV file. */
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
}
