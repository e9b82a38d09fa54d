import { eachElement, usualSize } from '../paging.ts';
import type { CallOptions, Transport } from '../transport.ts';
import type {
  ImportQuery,
  ImportResult,
  Member,
  MemberActivity,
  MemberActivityPage,
  MemberActivityQuery,
  MemberChange,
  MemberLeaving,
  MemberMerge,
  MemberPage,
  MemberQuery,
  MemberSuggestion,
  NewMember,
  SuggestionQuery,
} from '../types.ts';

/** As long as the service takes for one. Most runtimes give up earlier: Node's fetch after five minutes without an answer. */
const longestImportMs = 30 * 60_000;

/** The people of the workspace. */
export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A page of members. Filters and search combine with AND. */
  async list(query: MemberQuery = {}, { signal }: CallOptions = {}): Promise<MemberPage> {
    return (await this.#transport.json<MemberPage>({ method: 'GET', path: '/members', query, signal })).body;
  }

  /** All members that fit, for `for await`. */
  all(filters: Omit<MemberQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Member, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ members }) => members,
    );
  }

  /** People to choose from while somebody types, the best first. Nobody who has left. */
  async suggest(query: SuggestionQuery, { signal }: CallOptions = {}): Promise<MemberSuggestion[]> {
    const call = { method: 'GET', path: '/members/suggestions', query: { ...query }, signal } as const;
    return (await this.#transport.json<{ members: MemberSuggestion[] }>(call)).body.members;
  }

  /** One person, including people who have left. A merged record gives the one that it was merged into. */
  async get(id: number, { signal }: CallOptions = {}): Promise<Member> {
    return (await this.#transport.json<Member>({ method: 'GET', path: `/members/${id}`, signal })).body;
  }

  /** A page of the recognition that a member received or gave, the newest first. */
  async activities(
    id: number,
    query: MemberActivityQuery = {},
    { signal }: CallOptions = {},
  ): Promise<MemberActivityPage> {
    const path = `/members/${id}/activities`;
    return (await this.#transport.json<MemberActivityPage>({ method: 'GET', path, query, signal })).body;
  }

  /** All recognition that a member received or gave, for `for await`. */
  async *allActivities(
    id: number,
    query: MemberActivityQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<MemberActivity, void> {
    let page = await this.activities(id, { size: usualSize, ...query }, options);
    yield* page.activities;
    while (page.next !== null) {
      page = await this.activities(id, { size: usualSize, ...query, after: page.next }, options);
      yield* page.activities;
    }
  }

  /** Adds one person, with an e-mail address or an employee number that nobody has. */
  async add(member: NewMember, { signal }: CallOptions = {}): Promise<Member> {
    const call = { method: 'POST', path: '/members', body: member, once: true } as const;
    return (await this.#transport.json<Member>({ ...call, signal })).body;
  }

  /** Changes the fields that are given. */
  async change(id: number, change: MemberChange, { signal }: CallOptions = {}): Promise<Member> {
    const call = { method: 'PATCH', path: `/members/${id}`, body: change } as const;
    return (await this.#transport.json<Member>({ ...call, signal })).body;
  }

  /** Makes a member a leaver. They stay in the history. */
  leave(id: number, leaving: MemberLeaving = {}, options: CallOptions = {}): Promise<Member> {
    return this.#post(id, 'leave', { ...options, body: leaving });
  }

  /** Lets a leaver return. */
  return(id: number, options: CallOptions = {}): Promise<Member> {
    return this.#post(id, 'return', options);
  }

  /** Merges two records of one person: the record `id` is given up. This cannot be undone. */
  merge(id: number, merge: MemberMerge, options: CallOptions = {}): Promise<Member> {
    return this.#post(id, 'merge', { ...options, body: merge, once: true });
  }

  /**
   * Imports people from a CSV file, or says what an import would change. Importing a file twice changes nothing. The answer comes
   * when the import has ended. Node's own `fetch` waits five minutes for it, then this throws `no_answer`, and the import ends
   * with the batch that is under way: import the same file again, which does the rest, or give the client a `fetch` that waits longer.
   */
  async import(
    file: string | Uint8Array<ArrayBuffer> | Blob,
    options: ImportQuery & CallOptions = {},
  ): Promise<ImportResult> {
    const { signal, map, ...query } = options;
    const answer = await this.#transport.json<ImportResult>({
      method: 'POST',
      path: '/members/import',
      query: { ...query, ...(map && { map: JSON.stringify(map) }) },
      raw: { type: 'text/csv', content: file },
      once: true,
      heldMs: longestImportMs,
      signal,
    });
    return answer.body;
  }

  async #post(id: number, verb: string, call: CallOptions & { body?: unknown; once?: boolean }): Promise<Member> {
    return (await this.#transport.json<Member>({ method: 'POST', path: `/members/${id}/${verb}`, ...call })).body;
  }
}
