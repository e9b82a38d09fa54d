import { Resource } from '../resource.ts';
import type { CallOptions } from '../transport.ts';
import type { ClockAdvance, Clock as Time } from '../types.ts';

/** The workspace's time, which the test environment can move. */
export class Clock extends Resource {
  retrieve(options: CallOptions = {}): Promise<Time> {
    return this.call('GET /clock', {}, options);
  }

  /** Moves the workspace's time forward, in the test environment. */
  advance(by: ClockAdvance, options: CallOptions = {}): Promise<Time> {
    return this.call('POST /clock/advance', { body: by, once: true }, options);
  }
}
