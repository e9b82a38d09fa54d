import { Resource } from '../resource.ts';

/** When an order waits for approval or is rejected. */
export class Rules extends Resource {
  /** All rules, in the order in which they are tried. */
  readonly list = this.part('rules', 'GET /rules');
  readonly retrieve = this.method('GET /rules/{id}');
  /** Adds a rule, which every node applies to new orders within a second. */
  readonly create = this.method('POST /rules', 'body', { once: true });
  /** Changes a rule, turns it on or off, or moves it to another position. */
  readonly update = this.method('PATCH /rules/{id}', 'body');
  /** Deletes a rule. Orders that wait because of it keep waiting. */
  readonly delete = this.method('DELETE /rules/{id}');
}
