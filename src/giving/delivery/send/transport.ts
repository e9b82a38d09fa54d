import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import type { createTransport } from 'nodemailer';
import type { Config } from '../../../ground/config/config.ts';
import { Failure } from '../../../ground/errors.ts';
import { domainOf } from '../compose/message-id.ts';
import { answerOf, type MailOutcome, mailOutcomeOf, type SendingError } from './outcome.ts';

export interface TransportOptions {
  /** The mail server as a URL. */
  url: string;
  dkim: { domainName: string; keySelector: string; privateKey: string } | null;
}

export type OutgoingMail = Parameters<Mailer['sendMail']>[0];
type Mailer = ReturnType<typeof createMailer>;

/** How many emails one process hands over at the same time, each over a connection of its own. */
export const maxConnections = 5;
/** An email that takes longer is given up. Its wait for a connection does not count. */
export const longestMs = 50_000;
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands emails to the mail server, over a few connections that stay open. It retries nothing: the sender decides that. */
export class MailTransport {
  readonly #connections: readonly Connection[];
  /** The last one is used next, so that the others close when there is little to send. */
  readonly #free: Connection[];
  /** Those who wait for a connection, the one who has waited longest first. */
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(create: typeof createTransport, options: TransportOptions) {
    const open = () => new Connection(() => createMailer(create, options));
    this.#connections = Array.from({ length: maxConnections }, open);
    this.#free = [...this.#connections];
  }

  /** Waits for a connection, and does the work with it. It is for one email, so that no workspace keeps all connections while others wait. */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = this.#free.pop() ?? (await new Promise<Connection>((take) => this.#waiting.push(take)));
    try {
      return await work(connection);
    } finally {
      const takeOver = this.#waiting.shift();
      if (takeOver) takeOver(connection);
      else this.#free.push(connection);
    }
  }

  /** Connects and logs in. Throws what is wrong. */
  async verify(): Promise<void> {
    await this.use((connection) => connection.verify());
  }

  /** Emails under way are finished, unless they are to be broken off. */
  close(options: { force: boolean }): void {
    for (const connection of this.#connections) connection.close(options);
  }
}

/** A connection to the mail server. The first email opens it, and so does one that finds it lost. */
export class Connection {
  readonly #createMailer: () => Mailer;
  #mailer: Mailer;

  constructor(create: () => Mailer) {
    this.#createMailer = create;
    this.#mailer = create();
  }

  async send(mail: OutgoingMail, limitMs = longestMs): Promise<MailOutcome> {
    const streams: Readable[] = [];
    const hasBegun = () => streams.some((stream) => stream.readableDidRead);
    let isGivenUp = false;
    // A server that sends a byte now and then reaches no other time-out.
    const late = setTimeout(() => {
      isGivenUp = true;
      this.#giveUp();
    }, limitMs);
    try {
      const { response } = await this.#mailer.sendMail({ ...mail, streams } as OutgoingMail);
      return { is: 'sent', answer: answerOf(response) };
    } catch (error) {
      return mailOutcomeOf(isGivenUp ? tooSlow : (error as SendingError), hasBegun());
    } finally {
      clearTimeout(late);
    }
  }

  async verify(): Promise<void> {
    await this.#mailer.verify();
  }

  close(options: { force: boolean }): void {
    this.#mailer.close(options);
  }

  #giveUp(): void {
    this.#mailer.close({ force: true });
    this.#mailer = this.#createMailer();
  }
}

const tooSlow: SendingError = { code: 'ECONNECTION', message: 'the mail server took too long' };

type MailConfig = Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>;

/** Whether emails leave the service. The outbox keeps emails about gifts alone: other people would read in it what is meant for a user. */
export function hasMailServer({ mailServer }: Pick<Config, 'mailServer'>): boolean {
  return mailServer !== 'outbox' && mailServer !== 'off';
}

/** Null where emails stay in the outbox. */
export async function openTransport(config: MailConfig): Promise<MailTransport | null> {
  if (!hasMailServer(config)) return null;
  // Loaded here, because most starts of tests and commands send no email.
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

/**
 * What nodemailer signs by default (RFC 6376, 5.4.1), and `List-Unsubscribe-Post`: mailboxes offer to unsubscribe with one click only if both headers of it are
 * signed (RFC 8058, 4).
 */
const signedHeaders = [
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:Cc:MIME-Version:Content-Type:Content-Transfer-Encoding:Content-ID:Content-Description',
  'Resent-Date:Resent-From:Resent-Sender:Resent-To:Resent-Cc:Resent-Message-ID:In-Reply-To:References',
  'List-Id:List-Help:List-Unsubscribe:List-Unsubscribe-Post:List-Subscribe:List-Post:List-Owner:List-Archive',
].join(':');

/** A mailer has one connection: nodemailer gives up an email only together with all others of its pool. */
const mailerConnections = 1;

function createMailer(create: typeof createTransport, { url, dkim }: TransportOptions) {
  const mailer = create({
    url,
    pool: true,
    maxConnections: mailerConnections,
    maxRequeues: 0,
    ...timeouts,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { ...dkim, headerFieldNames: signedHeaders } }),
  });
  // A stream that was read from tells that the server got some of the email.
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
