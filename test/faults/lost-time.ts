import { within } from '../support/eventually.ts';
import { ask } from '../support/own-server.ts';
import { Client } from './client.ts';
import type { Stage } from './fault.ts';
import { Journal } from './journal.ts';
import { sendOrders } from './load.ts';
import { randomOrder } from './orders.ts';
import type { Rig, StartOptions } from './rig.ts';
import { type Before, expectDisjoint, Tracer, type Traces } from './traces.ts';

const orders = 5;
const notedWithinMs = 15_000;

/** Starts processes that can correct gifts: without email, there is nothing to correct. */
export const withEmail: StartOptions = { env: { GIFTWIRE_SMTP_URL: 'outbox' } };

/** Work in times that the database forgets later, and what must hold after each loss. */
export class LostTime {
  readonly #stage: Stage;
  #before: Before;
  readonly #lost: Traces[] = [];
  #works = 0;

  private constructor(stage: Stage, before: Before) {
    this.#stage = stage;
    this.#before = before;
  }

  /** Creates what is changed in the lost times. An API and a worker run. */
  static async prepare(stage: Stage): Promise<LostTime> {
    return new LostTime(stage, await tracerOf(stage.client, stage, 'before').prepare());
  }

  /** The state to which the database goes back, with orders that wait: no worker runs. */
  async begin(): Promise<void> {
    const name = `waiting-${this.#lost.length}`;
    this.#before = await this.#tracer(name).wait(this.#before, name);
  }

  /** Works in a time that is lost later, as a client whose orders the journal does not count. An API and a worker run. */
  async lose(): Promise<void> {
    const { client, cluster, journal } = this.#stage;
    const uncounted = new Client(client.url, cluster.access, new Journal(journal.patience));
    const traces = await this.#work(uncounted);
    this.#lost.push(traces);
    for (const sentence of uncounted.journal.sentences()) journal.violated(`In the lost time: ${sentence}`);
    uncounted.close();
  }

  /** Checks that nothing of the lost times refers to anything, before and after the same work that stays. */
  async expectLost(): Promise<void> {
    const { client } = this.#stage;
    const tracer = this.#tracer('after');
    for (const lost of this.#lost) await tracer.expectLost(lost);
    await this.#work(client);
    for (const lost of this.#lost) await tracer.expectLost(lost);
  }

  /** Everything that is issued was not issued in a lost time, also with the same idempotency keys. */
  async #work(client: Client): Promise<Traces> {
    const { random, journal } = this.#stage;
    const name = `work ${this.#works++}`;
    await sendOrders(client, random.fork(name), orders, (own) => randomOrder(own, { people: 60, maxGifts: 4 }));
    const traces = await tracerOf(client, this.#stage, name).work(this.#before, 'lost');
    for (const lost of this.#lost) expectDisjoint(journal, lost, traces);
    return traces;
  }

  /** Reads without a check of its own: the nodes have to notice. */
  async expectHistories({ cluster, name }: Rig, count: number): Promise<void> {
    const histories = await ask<{ reason: string }>(cluster.url(name), 'select reason from histories order by base');
    this.#stage.journal.histories = count;
    this.#stage.journal.require(
      histories.length === count,
      `There are ${histories.length} histories and not ${count}: ${histories.map(({ reason }) => reason).join('; ')}.`,
    );
  }

  /** Checks that operators are told of each new history once. */
  async expectNoted(rig: Rig, count: number): Promise<void> {
    const { journal } = this.#stage;
    const isNoted = await within(notedWithinMs * journal.patience, async () => (await warningsOf(rig)) >= count);
    journal.require(isNoted, 'The log has no warning of a new history.');
    const warnings = await warningsOf(rig);
    journal.require(warnings === count, `The log has ${warnings} warnings of ${count} new histories.`);
    const { stdout } = await rig.command('doctor', '--json');
    const { findings } = JSON.parse(stdout) as { findings: { check: string; detail: string }[] };
    const finding = findings.find(({ check }) => check === 'history');
    journal.require(/^new since /.test(finding?.detail ?? ''), `The doctor says of the history: ${finding?.detail}.`);
  }

  #tracer(name: string): Tracer {
    return tracerOf(this.#stage.client, this.#stage, name);
  }
}

async function warningsOf(rig: Rig): Promise<number> {
  const log = await rig.readLog();
  return log.split('\n').filter((line) => line.includes('A new history has started')).length;
}

function tracerOf(client: Client, { random }: Stage, name: string): Tracer {
  return new Tracer(client, random.fork(`traces ${name}`));
}
