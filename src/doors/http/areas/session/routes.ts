import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { usePassword } from '../../../../company/access/account.ts';
import { enterAtKiosk, hasKiosk } from '../../../../company/access/kiosk-codes.ts';
import { endSession, useSignInLink } from '../../../../company/access/sessions.ts';
import { Failure } from '../../../../ground/errors.ts';
import { longest } from '../../../../ground/values/text.ts';
import {
  endedCookie,
  readSessionAt,
  refusePlainHttp,
  rejectCallsOfOtherSites,
  sessionCookie,
} from '../../callers/session-cookie.ts';
import { createKioskLimit, createPasswordLimit, createSignInLimit } from '../../limits/pace.ts';
import { serveEmailedLinks } from './email-route.ts';
import { serveOidc } from './oidc-routes.ts';
import type { Begin, SessionOptions } from './options.ts';

const secondsOfHour = 3_600;
const workspaceId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** Signing in and out. A GET does not use a sign-in link, so email scanners are harmless. */
export const serveSessions: FastifyPluginAsyncTypebox<SessionOptions> = async (app, options) => {
  const { database, publicUrl, sessionHours, oidc, mails } = options;
  const own = publicUrl === null ? null : new URL(publicUrl).host;
  const readSession = readSessionAt(options);
  const limitLinks = createSignInLimit(database);
  const limitPasswords = createPasswordLimit(database);
  const limitKiosks = createKioskLimit(database);
  const begin: Begin = (request, reply, { secret }) =>
    reply.header('Set-Cookie', sessionCookie(request, options, secret, sessionHours * secondsOfHour));
  const onRequest = async (request: FastifyRequest) => refusePlainHttp(request, options);
  app.addHook('onRequest', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') rejectCallsOfOtherSites(request, own);
  });

  app.route<{ Querystring: { workspace?: number } }>({
    method: 'GET',
    url: '/ways',
    schema: { hide: true, querystring: Type.Partial(Type.Object({ workspace: workspaceId })) },
    handler: async ({ query: { workspace } }) => ({
      oidc: oidc && { name: oidc.name },
      email: mails !== null,
      kiosk: workspace !== undefined && (await hasKiosk(database, workspace)),
    }),
  });

  app.route({
    method: 'POST',
    url: '/link',
    onRequest,
    schema: { hide: true, body: Type.Object({ link: Type.String({ maxLength: 200 }) }) },
    handler: async (request, reply) => {
      const signedIn = await database.transaction((tx) =>
        useSignInLink(tx, options, request.body.link, request.headers['user-agent'] ?? null),
      );
      if (signedIn) return begin(request, reply, signedIn).code(204).send();
      await limitLinks(request.ip);
      throw new Failure('unauthenticated', 'This link was used or has expired: ask for a new one.');
    },
  });

  app.route({
    method: 'POST',
    url: '/password',
    onRequest,
    schema: {
      hide: true,
      body: Type.Object({
        email: Type.String({ maxLength: 320, format: 'text' }),
        password: Type.String({ maxLength: 1_000 }),
      }),
    },
    handler: async (request, reply) => {
      const forget = await limitPasswords(request.ip, request.body.email);
      const browser = request.headers['user-agent'] ?? null;
      const signedIn = await usePassword(database, options, request.body, browser);
      if (!signedIn) throw new Failure('unauthenticated', 'The email address and the password do not belong together.');
      await forget();
      return begin(request, reply, signedIn).code(204).send();
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

  app.route({
    method: 'POST',
    url: '/kiosk',
    onRequest,
    schema: {
      hide: true,
      body: Type.Object({
        workspace: workspaceId,
        employeeNumber: Type.String({ maxLength: longest.employeeNumber, format: 'text' }),
        code: Type.String({ maxLength: 40, format: 'text' }),
      }),
    },
    handler: async (request, reply) => {
      const { workspace, employeeNumber, code } = request.body;
      const forget = await limitKiosks(request.ip, workspace, employeeNumber);
      const browser = request.headers['user-agent'] ?? null;
      const entry = { workspaceId: workspace, employeeNumber, code };
      const signedIn = await database.transaction((tx) => enterAtKiosk(tx, options, entry, browser));
      if (!signedIn) throw new Failure('unauthenticated', 'The employee number and the code do not belong together.');
      await forget();
      return begin(request, reply, signedIn).code(204).send();
    },
  });

  if (mails) serveEmailedLinks(app, options, mails);
  if (oidc) serveOidc(app, { ...options, provider: oidc, begin });
};
