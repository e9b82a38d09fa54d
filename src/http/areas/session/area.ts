import type { SignInOptions } from '../../../access/sessions.ts';
import type { Database } from '../../../database/database.ts';
import type { Area } from '../../area.ts';
import { createValidatorCompiler } from '../../validation.ts';
import { readJson } from './bodies.ts';
import { serveSessions } from './routes.ts';

export interface SessionOptions extends SignInOptions {
  database: Database;
  /** The address under which people reach the service; null: the one that they ask for. */
  publicUrl: string | null;
}

/** Where browsers sign in and out. Anybody may call; what they show decides who they are. */
export function sessionArea(options: SessionOptions): Area {
  return {
    prefix: '/session',
    authenticate: 'public',
    async plugin(app) {
      readJson(app);
      app.setValidatorCompiler(createValidatorCompiler({ schemas: [], keywords: [], formats: {} }));
      await serveSessions(app, options);
    },
  };
}
