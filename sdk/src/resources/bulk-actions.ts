import { Resource } from '../resource.ts';

/** Cancels, resends and extensions of many gifts. */
export class BulkActions extends Resource {
  /** Cancels, resends or extends all gifts that fit, in the background. */
  readonly create = this.keyed('POST /bulk-actions', 'body');
  /** How far a bulk action is, and what came of it. */
  readonly retrieve = this.method('GET /bulk-actions/{id}');
  /** A page of bulk actions, the newest first. */
  readonly list = this.method('GET /bulk-actions', 'query');
  /** A page of the gifts of a bulk action, with what came of each. */
  readonly gifts = this.method('GET /bulk-actions/{id}/gifts', 'query');
  /** All gifts of a bulk action, for `for await`. */
  readonly allGifts = this.eachPage('GET /bulk-actions/{id}/gifts', 'gifts');
}
