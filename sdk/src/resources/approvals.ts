import { Resource } from '../resource.ts';

/** What waits for a decision: orders and shoutouts. */
export class Approvals extends Resource {
  /** A page of what waits for the caller, the oldest first; or of orders that were decided. */
  readonly list = this.method('GET /approvals', 'query');
  /** Whom an order waits for and since when, or what was decided. */
  readonly retrieve = this.method('GET /approvals/orders/{requestId}');
  /** Approves or declines orders that wait for the caller: all of them, or none. */
  readonly decide = this.part('orders', 'POST /approvals/decisions', 'body', { once: true });
  /** Who decides for the caller while they are away. */
  readonly deputy = this.method('GET /approvals/deputy');
  /** Names who decides for the caller on these days, and after the caller has left. */
  readonly updateDeputy = this.method('PUT /approvals/deputy', 'body');
  readonly deleteDeputy = this.method('DELETE /approvals/deputy');
}
