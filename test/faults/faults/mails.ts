import { setTimeout as sleep } from 'node:timers/promises';
import { isInFlight, waitingStates, withdrawMails } from '../../../src/delivery/queue.ts';
import { readGiftsById } from '../../../src/gifts/gift.ts';
import { moveGifts } from '../../../src/gifts/moves.ts';
import { advanceClock } from '../../../src/workspaces/clock.ts';
import { inWorkspace } from '../../../src/workspaces/lock.ts';
import { within } from '../../support/eventually.ts';
import { type MailAnswer, openMailServer, type TestMailServer } from '../../support/smtp.ts';
import type { Fault, Stage } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { randomOrder } from '../orders.ts';
import type { Random } from '../random.ts';

const settledWithinMs = 400_000;

const mailKilled: Fault = {
  name: 'mail-killed',
  what: 'workers and mail server are killed, connections cut before and after DATA; each gift is mailed, none after its end',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    const postOffice = await PostOffice.open(stage);
    // A reminder is another mail, and time is moved forward below.
    await rig.database.query(`update workspaces set reminder_days = '{}', reminder_days_before_expiry = null`);
    await rig.start('api', { env: postOffice.env });
    const workers = [
      await rig.start('worker', { env: postOffice.env }),
      await rig.start('worker', { env: postOffice.env }),
    ];
    const ordered = sendOrders(client, random.fork('orders'), 50, uniquePeople);
    const ended = endSome(stage);
    for (let strike = 0; strike < (long ? 12 : 4); strike++) {
      await sleep(random.int(200, 1_500));
      if (strike % 2 === 0) await postOffice.restart(random.int(100, 3_000));
      else {
        const victim = random.int(0, 1);
        await workers[victim]?.end('SIGKILL');
        workers[victim] = await rig.start('worker', { env: postOffice.env });
      }
    }
    await ordered;
    const endedAt = await ended;
    const isSettled = await within(settledWithinMs * journal.patience, () => settle(stage), 500);
    journal.require(isSettled, 'Some mails were never sent.');
    await checkMails(stage, postOffice, endedAt);
    return undefined;
  },
};

/** Twenty gifts to people whom no other order names. */
function uniquePeople(random: Random, nth: number) {
  const order = randomOrder(random, { people: 1, maxGifts: 1 });
  const [gift] = order.orderItems;
  const orderItems = Array.from({ length: 20 }, (_, index) => ({
    ...(gift as NonNullable<typeof gift>),
    recipient: { email: `person.${nth}.${index}@example.com` },
  }));
  return { ...order, orderItems };
}

/** A mail server that is killed and comes back at the same address, and that cuts connections. */
class PostOffice {
  /** When each mail arrived, by the envelope's recipient. */
  readonly arrivals: { to: string; messageId: string; at: number }[] = [];
  readonly #random: Random;
  #server: TestMailServer | null = null;
  #port = 0;

  private constructor(random: Random) {
    this.#random = random;
  }

  static async open({ scope, random }: Stage): Promise<PostOffice> {
    const office = new PostOffice(random.fork('mail server'));
    await office.#listen();
    await scope.defer(async () => office.#server?.close());
    return office;
  }

  get env(): Record<string, string> {
    return {
      GIFTWIRE_SMTP_URL: `smtp://127.0.0.1:${this.#port}`,
      GIFTWIRE_MAIL_FROM: 'gifts@acme.example',
      GIFTWIRE_MAIL_BOUNCES: 'bounces@acme.example',
      // Slow enough that the strikes find mails under way.
      GIFTWIRE_MAIL_PER_MINUTE: '6000',
    };
  }

  async restart(pauseMs: number): Promise<void> {
    await this.#server?.close();
    await sleep(pauseMs);
    await this.#listen();
  }

  async #listen(): Promise<void> {
    const sometimes = (given: MailAnswer, chance: number) => (this.#random.chance(chance) ? given : undefined);
    this.#server = await openMailServer({
      port: this.#port,
      onRecipient: () => sometimes('cut', 0.01) ?? sometimes('451 4.7.1 Later', 0.02),
      onMail: ({ to, raw }) => {
        const messageId = /^message-id:\s*(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '';
        this.arrivals.push({ to, messageId, at: Date.now() });
        return sometimes('cut', 0.02);
      },
    });
    this.#port = this.#server.port;
  }
}

/** Cancels some gifts and lets others expire while mails are sent. Returns when, by the id of the gift. */
async function endSome(stage: Stage): Promise<Map<number, number>> {
  const { rig, client, random: all } = stage;
  const random = all.fork('ends');
  const endedAt = new Map<number, number>();
  while (endedAt.size < 60 && !client.isClosed) {
    await sleep(random.int(20, 120));
    const found = await rig.database
      .query<{ id: number }>(`select id from certificates where state = 'ISSUED' order by id desc limit 200`)
      .catch(() => []);
    if (found.length === 0) continue;
    const { id } = random.pick(found);
    if (!endedAt.has(id) && (await endGift(stage, id, random.chance(0.5)))) endedAt.set(id, Date.now());
  }
  return endedAt;
}

/** As the interface does it: refused while the mail is being handed over. */
function endGift({ rig, client: { workspaceId } }: Stage, id: number, expires: boolean): Promise<boolean> {
  return inWorkspace(rig.database, workspaceId, async (tx, moment) => {
    const [gift] = await readGiftsById(tx, workspaceId, [id]);
    if (!gift || (await isInFlight(tx, workspaceId, id))) return false;
    if (expires) {
      await tx.query('update certificates set expires_at = $3 where workspace_id = $1 and id = $2', [
        workspaceId,
        id,
        moment,
      ]);
      return true;
    }
    await moveGifts(tx, workspaceId, [{ type: 'CANCELLED', gift }]);
    await withdrawMails(tx, workspaceId, gift);
    return true;
  }).catch(() => false);
}

/** Whether no mail waits. Mails that were put off are due in some minutes, so time is moved forward. */
async function settle({ rig, client: { workspaceId } }: Stage): Promise<boolean> {
  if ((await rig.pending()) > 0) return false;
  const [waiting] = await rig.database.query<{ all: number; later: number }>(
    `select count(*) as all, count(*) filter (where state = 'DEFERRED') as later from mails where state in ${waitingStates}`,
  );
  if (!waiting || waiting.all === 0) return true;
  if (waiting.later === waiting.all) await rig.database.transaction((tx) => advanceClock(tx, workspaceId, 86_400));
  return false;
}

async function checkMails(
  { rig, journal }: Stage,
  { arrivals }: PostOffice,
  endedAt: Map<number, number>,
): Promise<void> {
  const gifts = await rig.database.query<{ id: number; email: string; state: string }>(
    `select c.id, m.email, q.state
       from certificates c
       join members m on m.workspace_id = c.workspace_id and m.id = c.member_id
       join mails q   on q.workspace_id = c.workspace_id and q.request_id = c.request_id and q.position = c.position`,
  );
  journal.require(gifts.length === 1_000, `${gifts.length} gifts have a mail, and not 1000.`);
  const byAddress = Map.groupBy(arrivals, ({ to }) => to.toLowerCase());
  for (const { id, email, state } of gifts) {
    const own = byAddress.get(email) ?? [];
    const end = endedAt.get(id);
    if (end === undefined) {
      journal.require(own.length > 0, `Gift ${id} was never mailed.`);
      journal.require(state === 'SENT', `The mail about gift ${id} is ${state}.`);
    } else journal.require(!own.some(({ at }) => at > end), `Gift ${id} was mailed after it was cancelled or expired.`);
    journal.require(
      new Set(own.map(({ messageId }) => messageId)).size <= 1,
      `Mails about gift ${id} differ in Message-ID.`,
    );
  }
  const others = new Set(gifts.map(({ email }) => email));
  journal.require(
    arrivals.every(({ to }) => others.has(to.toLowerCase())),
    'A mail went to somebody else.',
  );
}

export const mailFaults = [mailKilled];
