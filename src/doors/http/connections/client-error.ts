import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { problemBody } from '../errors/problems.ts';

const answers: Record<string, { status: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers are too large: together they may have at most 16 KiB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive.' },
};
const lingerMs = 1_000;
const malformed = { status: 400, message: 'The request is not well-formed HTTP.' };

/** Answers a request whose head could not be read, so that no route and no area ever sees it. */
export function answerClientError(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, message } = answers[error.code ?? ''] ?? malformed;
  const body = JSON.stringify(problemBody(status, message));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
  // Leaves time to send the answer. More bytes from this client are not read.
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
