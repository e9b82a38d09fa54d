import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

export interface ReceivedMail {
  /** The envelope's sender and recipient. */
  from: string;
  to: string;
  raw: Buffer;
}

/** How a mail server answers: undefined takes it, a text refuses it, `cut` ends the connection without an answer. */
export type MailAnswer = string | undefined;

export interface MailServerOptions {
  port?: number;
  onSender?: (address: string) => MailAnswer;
  onRecipient?: (address: string) => MailAnswer;
  /** Called when the whole mail was read. */
  onMail?: (mail: ReceivedMail) => MailAnswer | Promise<MailAnswer>;
}

export interface TestMailServer {
  port: number;
  url: string;
  /** The mails that were read, also those that were refused then. */
  mails: ReceivedMail[];
  connections(): number;
  to(address: string): ReceivedMail[];
  close(): Promise<void>;
}

/** A mail server on a real port. The caller closes it. */
export async function openMailServer(options: MailServerOptions = {}): Promise<TestMailServer> {
  const { port = 0, onSender, onRecipient, onMail } = options;
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const answer = (session: SMTPServerSession, given: MailAnswer, callback: (error?: Error | null) => void) => {
    if (given === 'cut') return socketOf(server, session)?.destroy();
    if (given === undefined) return callback();
    const [, code = '550', text = given] = /^(\d{3}) (.*)$/.exec(given) ?? [];
    callback(Object.assign(new Error(text), { responseCode: Number(code) }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onConnect(_session, callback) {
      connections++;
      callback();
    },
    onMailFrom: ({ address }, session, callback) => answer(session, onSender?.(address), callback),
    onRcptTo: ({ address }, session, callback) => answer(session, onRecipient?.(address), callback),
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo[0]?.address ?? '',
          raw: Buffer.concat(pieces),
        };
        mails.push(mail);
        answer(session, await onMail?.(mail), callback);
      });
    },
  });
  // A client that goes away is nothing to report.
  server.on('error', () => {});
  const listening = await new Promise<number>((resolve) => {
    const { server: socket } = server;
    server.listen(port, '127.0.0.1', () => resolve((socket.address() as AddressInfo).port));
  });
  const close = () =>
    new Promise<void>((resolve) => {
      for (const connection of server.connections) (connection as unknown as { _socket: Socket })._socket.destroy();
      server.close(() => resolve());
    });
  return {
    port: listening,
    url: `smtp://127.0.0.1:${listening}`,
    mails,
    connections: () => connections,
    to: (address) => mails.filter(({ to }) => to === address),
    close,
  };
}

function socketOf(server: SMTPServer, session: SMTPServerSession): Socket | undefined {
  const connection = [...server.connections].find(({ id }) => id === session.id);
  return (connection as { _socket?: Socket } | undefined)?._socket;
}
