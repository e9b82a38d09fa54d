import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KioskKeys } from '../../../../company/access/kiosk-codes.ts';
import type { OidcProvider } from '../../../../company/access/oidc.ts';
import type { SignedIn, SignInOptions } from '../../../../company/access/sessions.ts';
import type { UserMails } from '../../../../giving/delivery/sign-in-mail.ts';
import type { Database } from '../../../../ground/database/database.ts';

export interface SessionOptions extends SignInOptions {
  database: Database;
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
  /** Null: there is no OpenID provider. */
  oidc: OidcProvider | null;
  kiosk: KioskKeys;
  /** What emails sign-in links; null: none are emailed. */
  mails: UserMails | null;
}

/** Where the pages of employees are. */
export const employeesPath = '/my';

/** Gives the browser its session, with the answer. */
export type Begin = (request: FastifyRequest, reply: FastifyReply, signedIn: SignedIn) => FastifyReply;
