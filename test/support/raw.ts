import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  headers: Headers;
  text: string;
}

/** Writes bytes as they are to the service and reads the first answer, until the service closes the connection. */
export async function sendRaw(url: string, ...parts: (string | Uint8Array)[]): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const received: Buffer[] = [];
  socket.on('data', (chunk) => received.push(chunk));
  // A reset after the answer does no harm.
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  for (const part of parts) socket.write(part);
  socket.setTimeout(30_000, () => socket.destroy());
  await closed;
  return parseAnswer(Buffer.concat(received).toString('utf8'));
}

/** The head of a request that asks for the connection to be closed after the answer. */
export function head(method: string, path: string, ...headers: string[]): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', ''].join('\r\n');
}

function parseAnswer(answer: string): RawAnswer {
  const [, status, lines = '', text = ''] = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(answer) ?? [];
  if (status === undefined) throw new Error(`no answer but ${JSON.stringify(answer)}`);
  const headers = lines.split('\r\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]);
  return { status: Number(status), headers: new Headers(headers), text };
}

/** Sends requests together on a connection of their own, and reads the answers to them as readAnswers() does. */
export async function sendTogether(url: string, requests: readonly string[]): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  const answers = readAnswers(socket, requests.length);
  socket.write(requests.join('').replaceAll('Connection: close', 'Connection: keep-alive'));
  const received = await answers;
  socket.destroy();
  return received;
}

/** Reads `count` answers with a Content-Length from one connection, or fewer if it is closed before. */
export function readAnswers(socket: Socket, count: number): Promise<RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let rest = Buffer.alloc(0);
  return new Promise((resolve) => {
    socket.once('close', () => resolve(answers));
    socket.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (let begin = 0; ; ) {
        const end = rest.indexOf('\r\n\r\n', begin);
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(rest.toString('latin1', begin, end))?.[1]);
        if (end < 0 || rest.length < end + 4 + length) {
          rest = rest.subarray(begin);
          break;
        }
        answers.push(parseAnswer(rest.toString('utf8', begin, end + 4 + length)));
        begin = end + 4 + length;
      }
      if (answers.length >= count) resolve(answers);
    });
  });
}
