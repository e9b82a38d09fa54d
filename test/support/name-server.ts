import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cleanUp } from './cleanup.ts';

export interface NameServer {
  /** As `createLookup` takes it. */
  address: string;
  /** The names that it was asked for, once for each question. */
  asked: string[];
}

const typeA = 1;

/** A name server on a real port. It says 127.0.0.1 for the names that it knows, and never answers for any other. */
export async function startNameServer(known: readonly string[]): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, { address, port }) => {
    const { name, type, question } = readQuestion(query);
    asked.push(name);
    if (known.includes(name)) socket.send(answerTo(query, question, type === typeA), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  cleanUp(async () => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

/** After a header of 12 bytes: labels with their lengths, a zero, then type and class in two bytes each. */
function readQuestion(query: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), question: query.subarray(12, at + 5) };
}

/** One address, or none where an address of another type is asked for. */
function answerTo(query: Buffer, question: Buffer, hasAddress: boolean): Buffer {
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, hasAddress ? 1 : 0, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  // The name of the question, type A, class IN, to be kept for 0 seconds, and 4 bytes of address.
  const record = Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1]);
  return Buffer.concat(hasAddress ? [header, question, record] : [header, question]);
}
