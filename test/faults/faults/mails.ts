import { setTimeout as sleep } from 'node:timers/promises';
import { advanceClock } from '../../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../../src/company/workspaces/lock.ts';
import { seal } from '../../../src/company/workspaces/seals.ts';
import { isInFlight, waitingStates, withdrawMails } from '../../../src/giving/delivery/queue.ts';
import { readGiftsById } from '../../../src/giving/gifts/gift.ts';
import { moveGifts } from '../../../src/giving/gifts/moves.ts';
import { giftRecord, giftRecordKey } from '../../../src/giving/gifts/sealed.ts';
import { within } from '../../support/eventually.ts';
import type { Random } from '../../support/random.ts';
import { type MailAnswer, openMailServer, type TestMailServer } from '../../support/smtp.ts';
import type { Fault, Stage } from '../fault.ts';
import { sendOrders } from '../load.ts';
import { randomOrder } from '../orders.ts';

const settledWithinMs = 400_000;
const giftsEach = 20;
const underWayWithinMs = 60_000;

const mailKilled: Fault = {
  name: 'mail-killed',
  what: 'workers and mail server are killed, connections cut before and after DATA; each gift is mailed, none after its end',
  async run(stage) {
    const { rig, client, journal, random, long } = stage;
    const orders = long ? 50 : 12;
    const postOffice = await PostOffice.open(stage);
    // A reminder is another mail, and time is moved forward below.
    await rig.database.query(`update workspaces set reminder_days = '{}', reminder_days_before_expiry = null`);
    const start = (role: 'api' | 'worker') => rig.start(role, { env: postOffice.env });
    const [, ...workers] = await Promise.all([start('api'), start('worker'), start('worker')]);
    const ordered = sendOrders(client, random.fork('orders'), orders, uniquePeople);
    const ended = endSome(stage, long ? 60 : 20);
    for (let strike = 0; strike < (long ? 12 : 4); strike++) {
      await sleep(random.int(200, 1_500));
      if (strike % 2 === 0) await postOffice.restart(random.int(100, 3_000));
      else {
        await mailsAreUnderWay(stage);
        const victim = random.int(0, 1);
        await workers[victim]?.end('SIGKILL');
        workers[victim] = await start('worker');
      }
    }
    await ordered;
    const endedAt = await ended;
    const isSettled = await within(settledWithinMs * journal.patience, () => settle(stage), 500);
    journal.require(isSettled, 'Some mails were never sent.');
    await checkMails(stage, postOffice, endedAt, orders * giftsEach);
    return undefined;
  },
};

/** Resolves when some mails are being handed over. After the mail server has failed, nobody tries for some seconds. */
async function mailsAreUnderWay({ rig, journal }: Stage): Promise<void> {
  const isUnderWay = await within(underWayWithinMs * journal.patience, async () => {
    const sql = `select from mail_queues where in_flight <> '{}' and lease_until > clock_timestamp()`;
    return (await rig.database.query(sql)).length > 0;
  });
  journal.require(isUnderWay, 'No mail was under way when a worker was killed.');
}

/** Gifts to people whom no other order names. */
function uniquePeople(random: Random, nth: number) {
  const order = randomOrder(random, { people: 1, maxGifts: 1 });
  const [gift] = order.orderItems;
  const orderItems = Array.from({ length: giftsEach }, (_, index) => ({
    ...(gift as NonNullable<typeof gift>),
    recipient: { email: `person.${nth}.${index}@example.com` },
  }));
  return { ...order, orderItems };
}

/** A mail server that is killed and comes back at the same address, and that cuts connections. */
class PostOffice {
  /** When each mail arrived, by the envelope's recipient. */
  readonly arrivals: { to: string; messageId: string; at: number }[] = [];
  /** How many connections were cut before and after a mail was read. */
  readonly cuts = { before: 0, after: 0 };
  readonly #random: Random;
  readonly #sizes: { perMinute: number; likelier: number };
  #server: TestMailServer | null = null;
  #port = 0;

  private constructor(random: Random, long: boolean) {
    this.#random = random;
    // Slow enough that the strikes find mails under way. Where there are fewer mails, more of them have trouble.
    this.#sizes = long ? { perMinute: 6_000, likelier: 1 } : { perMinute: 1_500, likelier: 3 };
  }

  static async open({ scope, random, long }: Stage): Promise<PostOffice> {
    const office = new PostOffice(random.fork('mail server'), long);
    await office.#listen();
    await scope.defer(async () => office.#server?.close());
    return office;
  }

  get env(): Record<string, string> {
    return {
      GIFTWIRE_SMTP_URL: `smtp://127.0.0.1:${this.#port}`,
      GIFTWIRE_MAIL_FROM: 'gifts@acme.example',
      GIFTWIRE_MAIL_BOUNCES: 'bounces@acme.example',
      GIFTWIRE_MAIL_PER_MINUTE: String(this.#sizes.perMinute),
    };
  }

  async restart(pauseMs: number): Promise<void> {
    await this.#server?.close();
    await sleep(pauseMs);
    await this.#listen();
  }

  async #listen(): Promise<void> {
    const { likelier } = this.#sizes;
    const sometimes = (given: MailAnswer, chance: number) =>
      this.#random.chance(chance * likelier) ? given : undefined;
    const sometimesCut = (when: 'before' | 'after', chance: number) => {
      const given = sometimes('cut', chance);
      if (given) this.cuts[when]++;
      return given;
    };
    this.#server = await openMailServer({
      port: this.#port,
      onRecipient: () => sometimesCut('before', 0.01) ?? sometimes('451 4.7.1 Later', 0.02),
      onMail: ({ to, raw }) => {
        const messageId = /^message-id:\s*(\S+)/im.exec(raw.toString('latin1'))?.[1] ?? '';
        this.arrivals.push({ to, messageId, at: Date.now() });
        return sometimesCut('after', 0.02);
      },
    });
    this.#port = this.#server.port;
  }
}

/** Cancels some gifts and lets others expire while mails are sent. Returns when, by the id of the gift. */
async function endSome(stage: Stage, count: number): Promise<Map<number, number>> {
  const { rig, client, random: all } = stage;
  const random = all.fork('ends');
  const endedAt = new Map<number, number>();
  while (endedAt.size < count && !client.isClosed) {
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
      await seal(tx, workspaceId, { record: giftRecord, keys: [giftRecordKey(gift)] });
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
  { arrivals, cuts }: PostOffice,
  endedAt: Map<number, number>,
  count: number,
): Promise<void> {
  const gifts = await rig.database.query<{ id: number; email: string; state: string }>(
    `select c.id, m.email, q.state
       from certificates c
       join members m on m.workspace_id = c.workspace_id and m.id = c.member_id
       join mails q   on q.workspace_id = c.workspace_id and q.request_id = c.request_id and q.position = c.position`,
  );
  journal.require(gifts.length === count, `${gifts.length} gifts have a mail, and not ${count}.`);
  journal.require(cuts.before > 0 && cuts.after > 0, 'No connection was cut before a mail, or none after it.');
  const byAddress = Map.groupBy(arrivals, ({ to }) => to.toLowerCase());
  for (const { id, email, state } of gifts) {
    const own = byAddress.get(email) ?? [];
    const end = endedAt.get(id);
    if (end === undefined) {
      journal.require(own.length > 0, `Gift ${id} was never emailed.`);
      journal.require(state === 'SENT', `The email about gift ${id} is ${state}.`);
    } else journal.require(!own.some(({ at }) => at > end), `Gift ${id} was mailed after it was cancelled or expired.`);
    journal.require(
      new Set(own.map(({ messageId }) => messageId)).size <= 1,
      `Emails about gift ${id} differ in Message-ID.`,
    );
  }
  const others = new Set(gifts.map(({ email }) => email));
  journal.require(
    arrivals.every(({ to }) => others.has(to.toLowerCase())),
    'An email went to another person.',
  );
}

export const mailFaults = [mailKilled];
