import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import { addressMail, type Letterhead, readMailCompany } from '../../src/giving/delivery/compose/message.ts';
import { queueGiftMails } from '../../src/giving/delivery/queue.ts';
import { readBatch } from '../../src/giving/delivery/send/claim.ts';
import { Rush } from '../../src/giving/delivery/send/rush.ts';
import { MailSender } from '../../src/giving/delivery/send/sender.ts';
import { maxConnections, type OutgoingMail, openTransport } from '../../src/giving/delivery/send/transport.ts';
import { giftTokenKeys } from '../../src/giving/gifts/token-keys.ts';
import type { FulfilStep } from '../../src/giving/orders/order-steps.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { migrate } from '../../src/ground/database/migrate.ts';
import { type Bench, createAccess, freePort } from '../programs.ts';
import { inRounds, type Series } from '../series.ts';
import type { Sizes } from '../sizes.ts';
import { fulfil, secret } from './events.ts';
import { completeOrders } from './throughput.ts';

const keys = giftTokenKeys([{ version: 1, secret }]);
const letterhead: Letterhead = {
  keys,
  from: 'gifts@example.com',
  bounces: null,
  publicUrl: 'https://gifts.example.com',
};

const queueMails: FulfilStep = {
  inTransaction: (tx, { workspaceId, moment, completed }) =>
    queueGiftMails(
      tx,
      workspaceId,
      moment,
      completed.map(({ requestId }) => requestId),
    ),
};

/** Mails a second that a mail server takes: from the queue, and from a bare loop with the same library and the same mails. */
export async function measureMails(bench: Bench, sizes: Sizes): Promise<Series> {
  const url = await startMailServer(bench);
  const database = await bench.createDatabase('mailing');
  await migrate(database);
  const { workspaceId } = await createAccess(database, 1);
  await fulfil(database, workspaceId, sizes.mails, [queueMails]);
  const written = await writeMails(database, workspaceId, sizes.mails);
  const measures = {
    mailed: () => send(database, url, sizes.mails),
    mailedBare: () => sendBare(url, written),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds * 2, measures);
}

/** Orders a second that are completed: while their mails are sent, and without mail. */
export async function measureWithMail(bench: Bench, sizes: Sizes): Promise<Series> {
  const url = await startMailServer(bench);
  const mailing = { GIFTWIRE_SMTP_URL: url, GIFTWIRE_MAIL_FROM: 'gifts@example.com' };
  const withMail = await bench.startService('with_mail', mailing);
  const withoutMail = await bench.startService('without_mail');
  const measures = {
    completedWithMail: () => completeOrders(withMail, 1, sizes.seconds),
    completedWithoutMail: () => completeOrders(withoutMail, 1, sizes.seconds),
  };
  await inRounds(1, measures);
  return inRounds(sizes.rounds, measures);
}

export async function startMailServer(bench: Bench): Promise<string> {
  const port = await freePort();
  await bench.startComparison('mail-receiver.ts', { SMTP_PORT: String(port) });
  return `smtp://127.0.0.1:${port}`;
}

async function send(database: Database, url: string, mails: number): Promise<number> {
  await database.query(`delete from mails where kind <> 'GIFT'`);
  await database.query(`update mails set state = 'QUEUED', due_at = now(), sent_at = null`);
  await database.query('update mail_queues set next_due = now(), lease_owner = null, lease_until = null');
  const transport = await openTransport({ mailServer: url, mailFrom: null, dkim: null });
  let sent = 0;
  const begun = performance.now();
  const sender = new MailSender({
    database,
    letterhead,
    transport,
    rush: new Rush(),
    perMinute: 0,
    onWritten: (results) => {
      sent += results.length;
    },
    onUnreachable: (answer) => console.error(answer),
    onProblem: console.error,
  });
  while (sent < mails) await sleep(5);
  const rate = (mails / (performance.now() - begun)) * 1_000;
  await sender.stop();
  return rate;
}

async function sendBare(url: string, mails: readonly OutgoingMail[]): Promise<number> {
  const mailer = createTransport({ url, pool: true, maxConnections });
  const waiting = mails.values();
  const begun = performance.now();
  const sendInTurn = async () => {
    for (const mail of waiting) await mailer.sendMail(mail);
  };
  await Promise.all(Array.from({ length: maxConnections }, sendInTurn));
  const rate = (mails.length / (performance.now() - begun)) * 1_000;
  mailer.close();
  return rate;
}

/** A gift's email, as the service writes it. */
export async function writeOneMail(bench: Bench): Promise<OutgoingMail> {
  const database = await bench.createDatabase('one_mail');
  await migrate(database);
  const { workspaceId } = await createAccess(database, 1);
  await fulfil(database, workspaceId, 1, [queueMails]);
  return (await writeMails(database, workspaceId, 1))[0] as OutgoingMail;
}

async function writeMails(database: Database, workspaceId: number, count: number): Promise<OutgoingMail[]> {
  const company = await readMailCompany(database, workspaceId);
  const rows = await database.query<{ id: number }>('select id from certificates where workspace_id = $1', [
    workspaceId,
  ]);
  const ids = rows.map(({ id }) => id);
  const due = await readBatch(database, workspaceId, ids, count);
  return due.map((mail) => addressMail(letterhead, { ...mail, company }, mail.address as string));
}
