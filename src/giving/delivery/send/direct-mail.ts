import type { Config } from '../../../ground/config/config.ts';
import type { MailOutcome } from './outcome.ts';
import { type MailTransport, type OutgoingMail, openTransport } from './transport.ts';

/** The outcome of an email that a caller waits for. */
export interface DirectResult {
  delivery: 'SENT' | 'KEPT' | 'FAILED';
  /** What the mail server answered; null where none was asked. */
  answer: string | null;
}

/**
 * The longest time that a caller waits, including for a connection. It is shorter than a request may take (http/connections.ts), so that the
 * answer says what is wrong with a mail server that stalls.
 */
export const longestWaitMs = 20_000;
/** With less time than this no email is begun. */
const leastMs = 1_000;

/** Hands over single emails whose sender waits for the outcome, as tests. They are in no queue. It connects with the first of them. */
export class DirectMail {
  readonly #config: Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>;
  readonly #waitMs: number;
  #transport: Promise<MailTransport | null> | null = null;

  constructor(config: Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>, waitMs = longestWaitMs) {
    this.#config = config;
    this.#waitMs = waitMs;
  }

  async send(mail: OutgoingMail): Promise<DirectResult> {
    const began = performance.now();
    this.#transport ??= openTransport(this.#config);
    const transport = await this.#transport;
    if (transport === null) return { delivery: 'KEPT', answer: null };
    const outcome = await transport.use(async (connection): Promise<MailOutcome> => {
      const leftMs = this.#waitMs - (performance.now() - began);
      if (leftMs < leastMs)
        return { is: 'unreachable', answer: 'the mail server took too long for emails before this one' };
      return connection.send(mail, leftMs);
    });
    return {
      delivery: outcome.is === 'sent' ? 'SENT' : 'FAILED',
      answer: 'answer' in outcome ? outcome.answer : null,
    };
  }

  async close(): Promise<void> {
    const transport = await this.#transport;
    transport?.close({ force: false });
  }
}
