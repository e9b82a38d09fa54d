import { comeAgain } from '../come-again.ts';
import type { Fault, Stage } from '../fault.ts';
import type { Answer } from '../journal.ts';
import { randomOrder } from '../orders.ts';
import { expectNormal, watchMemory } from '../recovery.ts';
import { startSwallowingProxy } from '../swallowing-proxy.ts';
import { type Shot, Volley } from '../volley.ts';

const kind = { people: 60, maxGifts: 4 };

const replyLost: Fault = {
  name: 'reply-lost',
  what: 'the answer is lost after the commit; the retry finds the same order and says so',
  async run({ scope, rig, client, journal, random, long }) {
    await rig.start('all');
    const proxy = await startSwallowingProxy(scope, rig.url);
    journal.rules.mayBeLost = true;
    for (let nth = 0; nth < (long ? 1_000 : 40); nth++) {
      const key = `lost-${nth}`;
      const order = randomOrder(random, kind);
      const losses = random.int(1, 3);
      client.url = proxy.url;
      for (let loss = 0; loss < losses; loss++) {
        proxy.swallow(1);
        const { answer } = await client.create(key, order);
        journal.require(answer?.lost !== null, `The answer to key ${key} was not lost as it should have been.`);
      }
      client.url = rig.url;
      const { answer, requestId } = await client.create(key, order);
      journal.require(answer?.replayed === true, `The retry of key ${key} was not told that its order existed.`);
      for (const text of proxy.swallowed.splice(0))
        journal.require(
          text.includes(`"${requestId}"`),
          `The retry of key ${key} got another order than was answered.`,
        );
    }
    return undefined;
  },
};

const oneKey: Fault = {
  name: 'one-key',
  what: 'a thousand creates at once with one key make one order; with two bodies, the losers are told 422',
  needsQuiet: true,
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    await rig.start('all');
    const volley = await openVolley(stage, 1_000);
    const fire = async (name: string, bodies: number) => {
      const orders = Array.from({ length: bodies }, () => randomOrder(random, kind));
      const shots = Array.from({ length: 1_000 }, () => ({ key: name, order: random.pick(orders) }));
      const fired = await volley.fire(shots);
      const sendAgain = async (nth: number) => {
        const { key, order } = shots[nth] as Shot;
        return (await client.create(key, order)).answer as Answer;
      };
      const answers = await Promise.all(fired.map((answer, nth) => comeAgain(journal, answer, () => sendAgain(nth))));
      const refused = answers.filter(({ status }) => status >= 500).length;
      journal.require(refused === 0, `${refused} of 1,000 creates with one key were answered with 5xx.`);
      return answers;
    };
    for (let round = 0; round < (long ? 10 : 1); round++) {
      const equal = await fire(`one-${round}`, 1);
      const other = equal.filter(({ status }) => status !== 201).length;
      journal.require(other === 0, `${other} of 1,000 equal creates were not answered 201.`);
      journal.rules.mayMismatch = true;
      const mixed = await fire(`two-${round}`, 2);
      journal.rules.mayMismatch = false;
      const mismatched = mixed.filter(({ status }) => status === 422).length;
      journal.require(mismatched > 0 && mismatched < 1_000, `${mismatched} of 1,000 creates with two bodies got 422.`);
    }
    return undefined;
  },
};

const overloadMegabytes = 600;

const overload: Fault = {
  name: 'overload',
  what: 'far more requests at once than it can take; it sheds with 503, answers in time, keeps its memory and serves on',
  needsQuiet: true,
  async run(stage) {
    const { rig, journal, random, long } = stage;
    const service = await rig.start('all');
    const stopWatching = watchMemory(journal, service.pid, overloadMegabytes);
    const sockets = 6_000;
    const volley = await openVolley(stage, sockets);
    const answers: Answer[] = [];
    for (let round = 0; round < (long ? 10 : 1); round++) {
      const shots = Array.from({ length: sockets }, (_, nth) => ({
        key: `round-${round}-${nth}`,
        order: randomOrder(random, { people: 60, maxGifts: 2 }),
      }));
      answers.push(...(await volley.fire(shots)));
    }
    volley.close();
    const accepted = answers.filter(({ status }) => status === 201);
    journal.require(accepted.length > 0, 'Nothing at all was accepted under overload.');
    journal.require(
      answers.some(({ status }) => status === 503),
      'Nothing was shed under overload.',
    );
    await expectNormal(stage, 10_000, 'the overload');
    stopWatching();
    return undefined;
  },
};

async function openVolley({ client, scope }: Stage, count: number): Promise<Volley> {
  const volley = new Volley(client);
  await scope.defer(async () => volley.close());
  await volley.open(count);
  return volley;
}

export const callerFaults = [replyLost, oneKey, overload];
