import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { ImportQuery, ImportResult } from '../types.ts';

/** As long as the service takes for one. Most runtimes give up earlier: Node's fetch after five minutes without an answer. */
const longestImportMs = 30 * 60_000;

/** The people of the workspace. */
export class Members extends Resource {
  /** A page of members. Filters and search combine with AND. */
  readonly list = this.method('GET /members', 'query');
  /** All members that fit, for `for await`. */
  readonly all = this.eachPage('GET /members', 'members');
  /** Suggests people while a user types, the best first. People who have left are not suggested. */
  readonly suggest = this.part('members', 'GET /members/suggestions', 'query');
  /** One person, including people who have left. A merged record gives the one that it was merged into. */
  readonly retrieve = this.method('GET /members/{id}');
  /** A page of the recognition that a member received or gave, the newest first. */
  readonly activities = this.method('GET /members/{id}/activities', 'query');
  /** All recognition that a member received or gave, for `for await`. */
  readonly allActivities = this.eachAfter('GET /members/{id}/activities', 'activities');
  /** Adds one person, with a new email address or employee number. */
  readonly create = this.method('POST /members', 'body', { once: true });
  /** Changes the fields that are given. */
  readonly update = this.method('PATCH /members/{id}', 'body');
  /** Makes a member a leaver. They stay in the history. */
  readonly leave = this.method('POST /members/{id}/leave', 'body');
  /** Lets a leaver return. */
  readonly return = this.method('POST /members/{id}/return');
  /** Merges two records of one person: the record `id` is given up. This cannot be undone. */
  readonly merge = this.method('POST /members/{id}/merge', 'body', { once: true });
  /** Everything about a person, as a ZIP. */
  readonly data = this.file('GET /members/{id}/data', null, 'application/zip');
  /** What erasing a person would remove, what stays and why, and how far an erasure has come. */
  readonly erasure = this.method('GET /members/{id}/erasure');
  /** Asks for the erasure of a person. It begins a day later, or when a second person has agreed. */
  readonly erase = this.method('POST /members/{id}/erasure', null, { once: true });
  /** Agrees to an erasure that another person has asked for. */
  readonly confirmErasure = this.method('POST /members/{id}/erasure/confirm', null, { once: true });
  /** Stops an erasure that has not begun. */
  readonly stopErasure = this.method('POST /members/{id}/erasure/stop', null, { once: true });
  /** What is decided about the data of a person: a legal hold, and whether they are kept out of reports about individuals. */
  readonly rights = this.method('GET /members/{id}/rights');
  /** Keeps a person from being erased or anonymized. */
  readonly placeHold = this.method('PUT /members/{id}/hold', 'body');
  /** Keeps a person out of reports about individuals, the feed and automations. */
  readonly restrict = this.method('PUT /members/{id}/restriction', 'body');
  /** Shows a person in them again. */
  readonly liftRestriction = this.method('DELETE /members/{id}/restriction');
  /** Releases the legal hold on a person. */
  readonly releaseHold = this.method('DELETE /members/{id}/hold');
  /** Moves what belongs to another person to a new record, which is returned. The old record keeps its history, and has left. */
  readonly split = this.method('POST /members/{id}/split', 'body', { once: true });
  /** When the member's code for kiosks was created. */
  readonly kioskCode = this.method('GET /members/{id}/kiosk-code');
  /** Creates a code with which the member signs in at kiosks, in place of the earlier one. It is shown once. */
  readonly createKioskCode = this.method('POST /members/{id}/kiosk-code', null, { once: true });
  /** Removes the member's code for kiosks, and ends their sessions there. */
  readonly revokeKioskCode = this.method('DELETE /members/{id}/kiosk-code');

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
    const given = { query, raw: { type: 'text/csv', content: file }, once: true, heldMs: longestImportMs };
    return this.call('POST /members/import', given, { signal, timeoutMs, retries, idempotencyKey });
  }

  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
  /** @deprecated Use `create`. */
  readonly add = this.create;
  /** @deprecated Use `update`. */
  readonly change = this.update;
}
