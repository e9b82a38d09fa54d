import { eachAfter, eachElement, usualSize } from '../paging.ts';
import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
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
  MemberSplit,
  MemberSuggestion,
  NewMember,
  SuggestionQuery,
} from '../types.ts';

/** As long as the service takes for one. Most runtimes give up earlier: Node's fetch after five minutes without an answer. */
const longestImportMs = 30 * 60_000;

/** The people of the workspace. */
export class Members extends Resource {
  /** A page of members. Filters and search combine with AND. */
  list(query: MemberQuery = {}, options: CallOptions = {}): Promise<MemberPage> {
    return this.call('GET /members', { query }, options);
  }

  /** All members that fit, for `for await`. */
  all(filters: Omit<MemberQuery, 'page'> = {}, options: CallOptions = {}): AsyncGenerator<Member, void> {
    return eachElement(
      (page) => this.list({ size: usualSize, ...filters, page }, options),
      ({ members }) => members,
    );
  }

  /** Suggests people while a user types, the best first. People who have left are not suggested. */
  async suggest(query: SuggestionQuery, options: CallOptions = {}): Promise<MemberSuggestion[]> {
    return (await this.call('GET /members/suggestions', { query: { ...query } }, options)).members;
  }

  /** One person, including people who have left. A merged record gives the one that it was merged into. */
  retrieve(id: number, options: CallOptions = {}): Promise<Member> {
    return this.call('GET /members/{id}', { path: { id } }, options);
  }

  /** A page of the recognition that a member received or gave, the newest first. */
  activities(id: number, query: MemberActivityQuery = {}, options: CallOptions = {}): Promise<MemberActivityPage> {
    return this.call('GET /members/{id}/activities', { path: { id }, query }, options);
  }

  /** All recognition that a member received or gave, for `for await`. */
  allActivities(
    id: number,
    query: MemberActivityQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<MemberActivity, void> {
    return eachAfter(
      query,
      (page) => this.activities(id, page, options),
      ({ activities }) => activities,
    );
  }

  /** Adds one person, with a new email address or employee number. */
  create(member: NewMember, options: CallOptions = {}): Promise<Member> {
    return this.call('POST /members', { body: member, once: true }, options);
  }

  /** Changes the fields that are given. */
  update(id: number, change: MemberChange, options: CallOptions = {}): Promise<Member> {
    return this.call('PATCH /members/{id}', { path: { id }, body: change }, options);
  }

  /** Makes a member a leaver. They stay in the history. */
  leave(id: number, leaving: MemberLeaving = {}, options: CallOptions = {}): Promise<Member> {
    return this.call('POST /members/{id}/leave', { path: { id }, body: leaving }, options);
  }

  /** Lets a leaver return. */
  return(id: number, options: CallOptions = {}): Promise<Member> {
    return this.call('POST /members/{id}/return', { path: { id } }, options);
  }

  /** Merges two records of one person: the record `id` is given up. This cannot be undone. */
  merge(id: number, merge: MemberMerge, options: CallOptions = {}): Promise<Member> {
    return this.call('POST /members/{id}/merge', { path: { id }, body: merge, once: true }, options);
  }

  /** Moves what belongs to another person to a new record, which is returned. The old record keeps its history, and has left. */
  split(id: number, split: MemberSplit, options: CallOptions = {}): Promise<Member> {
    return this.call('POST /members/{id}/split', { path: { id }, body: split, once: true }, options);
  }

  /**
   * Imports people from a CSV file, or says what an import would change. Importing a file twice changes nothing. The answer comes
   * when the import has ended. Node's own `fetch` waits five minutes for it, then this throws `no_answer`, and the import ends
   * with the batch that is under way: import the same file again, which does the rest, or give the client a `fetch` that waits longer.
   */
  import(
    file: string | Uint8Array<ArrayBuffer> | Blob,
    options: ImportQuery & CallOptions = {},
  ): Promise<ImportResult> {
    const { signal, timeoutMs, retries, idempotencyKey, ifMatch: _, map, status, value, ...others } = options;
    const query = {
      ...others,
      ...(map && { map: JSON.stringify(map) }),
      ...(status && { status: JSON.stringify(status) }),
      ...(value && { value: JSON.stringify(value) }),
    };
    const given = {
      query,
      raw: { type: 'text/csv', content: file },
      once: true,
      heldMs: longestImportMs,
    };
    return this.call('POST /members/import', given, { signal, timeoutMs, retries, idempotencyKey });
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;

  /** @deprecated Use `create`. */
  readonly add = this.create;

  /** @deprecated Use `update`. */
  readonly change = this.update;
}
