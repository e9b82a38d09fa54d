import type { FastifyInstance } from 'fastify';
import { serveAssets } from './assets.ts';
import { readBodies } from './bodies.ts';
import { serveLogo } from './logo.ts';
import { startPage } from './notices.ts';
import type { GiftPageOptions } from './options.ts';
import { servePosts } from './posts.ts';
import { serveQuiet } from './quiet-routes.ts';
import { serveUnsubscribe } from './unsubscribe.ts';
import { chosenLanguage, visitorWords } from './visitor.ts';

/** All addresses below /g. GET and HEAD change nothing; only what a person presses claims a gift. */
export async function servePages(app: FastifyInstance, options: GiftPageOptions): Promise<void> {
  app.get('', { schema: { hide: true } }, async (request, reply) =>
    reply.type('text/html; charset=utf-8').send(startPage(visitorWords(request), chosenLanguage(request))),
  );
  serveAssets(app);
  serveLogo(app, options);
  readBodies(app);
  // Each in a scope of its own, because they differ in the bodies and in the sites that they take.
  await app.register((scope) => servePosts(scope, options));
  await app.register((scope) => serveQuiet(scope, options));
  await app.register((scope) => serveUnsubscribe(scope, options));
}
