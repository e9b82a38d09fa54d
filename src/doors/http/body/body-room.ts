import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { unavailable } from '../../../ground/errors.ts';
import { mebibyte, usualBodyBytes } from './body-limits.ts';

/** The place in memory of one large body. It is free again when all users of the body have released it. */
export interface Room {
  enter(): void;
  leave(): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if the body is small. */
    room: Room | null;
  }
}

/** For all large bodies of the process together. */
const mostBytes = 128 * mebibyte;
const byCaller = new Map<number, number>();
let takenBytes = 0;

/**
 * Large bodies are counted from their head to the end of the answer, so that callers who send many, or send them slowly, cannot fill
 * the memory. Only routes that take large bodies count, and a body of usual size costs them a comparison.
 */
export function limitLargeBodies(app: FastifyInstance): void {
  app.decorateRequest('room', null);
  app.addHook('onRoute', function (route) {
    const { url, bodyLimit = 0, preParsing = [], config } = route;
    if (bodyLimit <= usualBodyBytes) return;
    if (this.area?.authenticate === 'public' || config?.access === 'public')
      throw new Error(`the route ${url} takes large bodies, but does not say which caller they belong to`);
    route.preParsing = [...[preParsing].flat(), findRoom(bodyLimit)];
  });
}

type Done = (error?: Error | null) => void;

/** After all other hooks: what they refuse takes no room. */
function findRoom(bodyLimit: number) {
  return (request: FastifyRequest, reply: FastifyReply, payload: Readable, done: Done): void => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    if (encoding !== undefined) watch(request, reply, payload, bodyLimit);
    // The route refuses what is longer than its limit without reading it.
    const bytes = Number(length) <= bodyLimit ? Number(length) : 0;
    done(bytes <= usualBodyBytes || takeRoom(request, reply, bytes) ? null : unavailable());
  };
}

/** A body that does not say its length takes the room of the longest as soon as it is not small any more. */
function watch(request: FastifyRequest, reply: FastifyReply, payload: Readable, bodyLimit: number): void {
  let received = 0;
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received <= usualBodyBytes) return;
    payload.off('data', count);
    // Fastify answers with the error of the stream that it reads.
    if (!takeRoom(request, reply, bodyLimit)) payload.emit('error', unavailable());
  };
  payload.on('data', count);
  // There is no other listener if the media type was rejected.
  payload.on('error', () => {});
}

/**
 * A caller may have as much as is left for all others: alone half of the room, and less where others have some. So there is room
 * for the next caller, however many bodies the ones before have sent.
 */
function takeRoom(request: FastifyRequest, { raw: answer }: FastifyReply, bytes: number): boolean {
  // The caller has gone already, and nothing would say when the answer is over.
  if (answer.destroyed) return true;
  const { callerId } = request.grant;
  const own = byCaller.get(callerId) ?? 0;
  if (own + bytes > mostBytes - takenBytes) return false;
  move(callerId, bytes);
  let users = 1;
  const room = {
    enter: () => void users++,
    leave: () => {
      if (--users === 0) move(callerId, -bytes);
    },
  };
  answer.once('close', room.leave);
  request.room = room;
  return true;
}

function move(callerId: number, bytes: number): void {
  const own = (byCaller.get(callerId) ?? 0) + bytes;
  if (own === 0) byCaller.delete(callerId);
  else byCaller.set(callerId, own);
  takenBytes += bytes;
}
