import { Resource } from '../resource.ts';

/** Say thanks without a gift; approve or decline where the workspace asks for approval. */
export class Shoutouts extends Resource {
  /** Says thanks. The shoutout is APPROVED at once, or PENDING where the workspace asks for approval. */
  readonly create = this.keyed('POST /shoutouts', 'body');
  /** A page of shoutouts, newest first: those that wait for a decision unless `status` says otherwise. */
  readonly list = this.method('GET /shoutouts', 'query');
  /** All shoutouts with a status, for `for await`. Decide about them afterwards: a decision moves the pages that follow. */
  readonly all = this.eachPage('GET /shoutouts', 'shoutouts');
  /** One shoutout, including declined ones. */
  readonly retrieve = this.method('GET /shoutouts/{id}');
  /** Approves a shoutout, which then counts as recognition. Approving it again changes nothing. */
  readonly approve = this.method('POST /shoutouts/{id}/approve', 'body');
  /** Declines a shoutout. The reports leave it out. Declining it again changes nothing. */
  readonly decline = this.method('POST /shoutouts/{id}/decline', 'body');
  /** @deprecated Use `create`. */
  readonly give = this.create;
  /** @deprecated Use `retrieve`. */
  readonly get = this.retrieve;
}
