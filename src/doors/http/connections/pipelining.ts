import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Answer } from '../answer.ts';
import { timeouts } from './connections.ts';

/** More than an honest client sends before it reads an answer. */
const manyOnConnection = 256;
/** How many requests may wait on all connections together before those with many are closed. Each takes about 3 KB. */
const manyInProcess = 20_000;

/** How many requests of a connection begin before other connections get their turn: about a millisecond of work. */
const inARow = 16;

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * The HTTP server. It handles the requests of one connection one at a time, as most servers do. Node alone would start all
 * requests that arrive together, thousands in one packet, and keep their answers in memory until it can send them.
 * While requests wait, nothing more is read from their connection.
 */
export function createOneByOneServer(handle: Handle): Server {
  const waitInLine = createLine(handle);
  const options = { ...timeouts, maxHeaderSize: 16 * 1024, requireHostHeader: false, ServerResponse: Answer };
  return createServer(options, (request, response) => {
    // Node gives a response its socket when all earlier answers have been sent.
    if (response.socket) handle(request, response);
    else waitInLine(request, response);
  });
}

function createLine(handle: Handle): Handle {
  const lines = new WeakMap<Socket, { waiting: number; started: number }>();
  let inProcess = 0;
  const open = (socket: Socket) => {
    const line = { waiting: 0, started: 0 };
    lines.set(socket, line);
    // Node sometimes resumes a socket on its own. It is paused again before anything is read.
    socket.on('resume', () => line.waiting > 0 && socket.pause());
    socket.once('close', () => {
      inProcess -= line.waiting;
      line.waiting = 0;
    });
    return line;
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? open(socket);
    line.waiting++;
    inProcess++;
    if (line.waiting === 1) socket.pause();
    if (line.waiting > manyOnConnection && inProcess > manyInProcess) socket.destroy();
    const start = () => {
      if (response.destroyed) return;
      line.waiting--;
      inProcess--;
      if (line.waiting === 0) socket.resume();
      handle(request, response);
    };
    response.once('socket', () => (++line.started % inARow === 0 ? setImmediate(start) : start()));
  };
}
