import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { endSession, type SignedIn, useSignInLink } from '../../../access/sessions.ts';
import { Failure } from '../../../errors.ts';
import { createSignInLimit } from '../../pace.ts';
import { endedCookie, readSessionAt, refuseOtherSites, sessionCookie } from '../../session-cookie.ts';
import type { SessionOptions } from './area.ts';

const secondsOfHour = 3_600;

/** Signing in and out. A GET changes nothing, so that a program that looks at the links in a mail uses none of them up. */
export const serveSessions: FastifyPluginAsyncTypebox<SessionOptions> = async (app, options) => {
  const { database, publicUrl, sessionHours } = options;
  const own = publicUrl === null ? null : new URL(publicUrl).host;
  const readSession = readSessionAt(options);
  const limitWrong = createSignInLimit();
  const begin = (request: FastifyRequest, reply: FastifyReply, { secret }: SignedIn) =>
    reply
      .code(204)
      .header('Set-Cookie', sessionCookie(request, options, secret, sessionHours * secondsOfHour))
      .send();
  app.addHook('onRequest', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') refuseOtherSites(request, own);
  });

  app.route({
    method: 'POST',
    url: '/link',
    schema: { hide: true, body: Type.Object({ link: Type.String({ maxLength: 200 }) }) },
    handler: async (request, reply) => {
      const signedIn = await database.transaction((tx) =>
        useSignInLink(tx, options, request.body.link, request.headers['user-agent'] ?? null),
      );
      if (signedIn) return begin(request, reply, signedIn);
      await limitWrong(request.ip);
      throw new Failure('unauthenticated', 'This link was used or has expired: ask for a new one.');
    },
  });

  app.route({
    method: 'DELETE',
    url: '',
    schema: { hide: true },
    handler: async (request, reply) => {
      const secret = readSession(request);
      if (secret !== '') await database.transaction((tx) => endSession(tx, secret));
      return reply.code(204).header('Set-Cookie', endedCookie(request, options)).send();
    },
  });
};
