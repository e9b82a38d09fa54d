import { Resource } from '../resource.ts';

/** The workspace's time, which the test environment can move. */
export class ClockResource extends Resource {
  readonly retrieve = this.method('GET /clock');
  /** Moves the workspace's time forward, in the test environment. */
  readonly advance = this.method('POST /clock/advance', 'body', { once: true });
}
