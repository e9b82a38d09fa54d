import type { Queryable } from '../../../ground/database/database.ts';
import { leaseSeconds, renewLease } from './claim.ts';
import { longestMs } from './transport.ts';

const renewEveryMs = (leaseSeconds * 1_000) / 3;
/** No conversation with the mail server about one email takes longer. */
const marginMs = longestMs;

/** Keeps a workspace's emails with this sender while it works on them. */
export class Lease {
  readonly #timer: NodeJS.Timeout;
  #endsAt = performance.now() + leaseSeconds * 1_000;

  constructor(on: Queryable, owner: string, workspaceId: number) {
    this.#timer = setInterval(() => void this.#renew(on, owner, workspaceId).catch(() => {}), renewEveryMs);
  }

  /** Whether there is time to hand over another email. A process that was stopped for a while notices here that it is too late. */
  isSafe(): boolean {
    return performance.now() < this.#endsAt - marginMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #renew(on: Queryable, owner: string, workspaceId: number): Promise<void> {
    const asked = performance.now();
    this.#endsAt = (await renewLease(on, owner, workspaceId)) ? asked + leaseSeconds * 1_000 : 0;
  }
}
