import { isText, notText } from '../../../../ground/values/text.ts';
import type { Area } from '../../area.ts';
import { createValidatorCompiler } from '../../validation.ts';
import { readJson } from './bodies.ts';
import type { SessionOptions } from './options.ts';
import { serveSessions } from './routes.ts';

/** Where browsers sign in and out. No credential is needed: the request itself identifies the user. */
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
