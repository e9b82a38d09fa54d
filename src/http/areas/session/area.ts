import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OidcProvider } from '../../../access/oidc.ts';
import type { SignedIn, SignInOptions } from '../../../access/sessions.ts';
import type { Database } from '../../../database/database.ts';
import { isText, notText } from '../../../values/text.ts';
import type { Area } from '../../area.ts';
import { createValidatorCompiler } from '../../validation.ts';
import { readJson } from './bodies.ts';
import { serveSessions } from './routes.ts';

export interface SessionOptions extends SignInOptions {
  database: Database;
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
  /** Null: nobody signs in through an OpenID provider. */
  oidc: OidcProvider | null;
}

/** Gives the browser its session, with the answer. */
export type Begin = (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => FastifyReply;

/** Where browsers sign in and out. Anybody may call; what they show decides who they are. */
export function sessionArea(options: SessionOptions): Area {
  return {
    prefix: '/session',
    authenticate: 'public',
    async plugin(app) {
      readJson(app);
      app.setValidatorCompiler(
        createValidatorCompiler({ schemas: [], keywords: [], formats: { text: { fits: isText, problem: notText } } }),
      );
      await serveSessions(app, options);
    },
  };
}
