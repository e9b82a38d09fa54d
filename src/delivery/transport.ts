import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import { Failure } from '../errors.ts';
import { domainOf } from './message-id.ts';
import { answerOf, type Outcome, outcomeOf, type SendingError } from './outcome.ts';

export interface TransportOptions {
  /** The mail server as a URL. */
  url: string;
  dkim: { domainName: string; keySelector: string; privateKey: string } | null;
}

export type OutgoingMail = Parameters<Mailer['sendMail']>[0];
type Mailer = ReturnType<typeof createMailer>;

/** How many mails one process hands over at the same time. */
export const maxConnections = 5;
/** A mail that takes longer is given up. */
export const longestMs = 50_000;
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands mails to the mail server, over a few connections that stay open. It retries nothing: the sender decides that. */
export class MailTransport {
  readonly #createMailer: () => Mailer;
  #mailer: Mailer;

  constructor(create: typeof createTransport, options: TransportOptions) {
    this.#createMailer = () => createMailer(create, options);
    this.#mailer = this.#createMailer();
  }

  async send(mail: OutgoingMail): Promise<Outcome> {
    const mailer = this.#mailer;
    const streams: Readable[] = [];
    const hasBegun = () => streams.some((stream) => stream.readableDidRead);
    const stalled = setTimeout(() => this.#giveUp(mailer), longestMs);
    try {
      const { response } = await mailer.sendMail({ ...mail, streams } as OutgoingMail);
      return { is: 'sent', answer: answerOf(response) };
    } catch (error) {
      return outcomeOf(error as SendingError, hasBegun());
    } finally {
      clearTimeout(stalled);
    }
  }

  /** Connects and logs in. Throws what is wrong. */
  async verify(): Promise<void> {
    await this.#mailer.verify();
  }

  /** Mails under way are finished, unless they are to be broken off. */
  close(options: { force: boolean }): void {
    this.#mailer.close(options);
  }

  /** A server that sends a byte now and then reaches no other time-out. */
  #giveUp(mailer: Mailer): void {
    mailer.close({ force: true });
    if (this.#mailer === mailer) this.#mailer = this.#createMailer();
  }
}

type MailConfig = Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>;

/** Null where mails stay in the outbox. */
export async function openTransport(config: MailConfig): Promise<MailTransport | null> {
  if (config.mailServer === 'outbox' || config.mailServer === 'off') return null;
  // Loaded here, because most starts of tests and commands send no mail.
  const nodemailer = await import('nodemailer');
  return new MailTransport(nodemailer.createTransport, { url: config.mailServer, dkim: await readDkim(config) });
}

async function readDkim({ dkim, mailFrom }: MailConfig): Promise<TransportOptions['dkim']> {
  if (dkim === null || mailFrom === null) return null;
  const privateKey = await readFile(dkim.keyFile, 'utf8').catch((error: Error) => {
    throw new Failure('setup', `GIFTWIRE_DKIM names a key that cannot be read: ${error.message}`);
  });
  return { domainName: domainOf(mailFrom), keySelector: dkim.selector, privateKey };
}

function createMailer(create: typeof createTransport, { url, dkim }: TransportOptions) {
  const mailer = create({
    url,
    pool: true,
    maxConnections,
    maxRequeues: 0,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim }),
  });
  // A stream that was read from tells that the server got some of the mail.
  mailer.use('stream', ({ message, data }, done) => {
    const create = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const stream = create(options);
      (data as { streams?: Readable[] }).streams?.push(stream);
      return stream;
    };
    done();
  });
  return mailer;
}
