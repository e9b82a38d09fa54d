import { Resource } from '../resource.ts';

/** What can be undone for a while: merges and imports of people, changed roles, retired reasons. */
export class Undos extends Resource {
  /** What the caller can still undo, the latest first. */
  readonly list = this.part('changes', 'GET /undo');
  /** Undoes a change as a whole, once. Rejects with status 409 if its data was changed since. */
  readonly undo = this.method('POST /undo/{id}', null, { once: true });
}
