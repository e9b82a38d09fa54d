import type { Config } from '../config.ts';
import { type MailTransport, type OutgoingMail, openTransport } from './transport.ts';

/** What became of a mail that somebody waited for. */
export interface DirectResult {
  delivery: 'SENT' | 'KEPT' | 'FAILED';
  /** What the mail server answered; null where none was asked. */
  answer: string | null;
}

/** Hands over single mails whose sender waits for the outcome, as tests. They are in no queue. It connects with the first of them. */
export class DirectMail {
  readonly #config: Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>;
  #transport: Promise<MailTransport | null> | null = null;

  constructor(config: Pick<Config, 'mailServer' | 'mailFrom' | 'dkim'>) {
    this.#config = config;
  }

  async send(mail: OutgoingMail): Promise<DirectResult> {
    this.#transport ??= openTransport(this.#config);
    const transport = await this.#transport;
    if (transport === null) return { delivery: 'KEPT', answer: null };
    const outcome = await transport.use((connection) => connection.send(mail));
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
