import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Queryable } from '../../../../ground/database/database.ts';
import { followBuiltPages, sendBuiltPage } from '../../built-pages.ts';
import { companyPage, iconOf, type MyCompany, manifestOf } from './company.ts';
import { serveScreen } from './tv.ts';

/** Null: there is no such workspace, or its employees do not sign in. */
export type ReadCompany = (workspaceId: number) => Promise<MyCompany | null>;

/** Everything from this service and nothing from elsewhere. No inline style and no inline script. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Screens below a workspace are the app's own to know. */
const pages = ['', '/sign-in', '/:workspace', '/:workspace/*'];
const shortly = 'public, max-age=300';

export interface MyPages {
  folder: string;
  readCompany: ReadCompany;
  /** The style sheet of Giftwire's own colours. */
  style: string;
  lookUps: Queryable;
}

export async function serveMyPages(
  app: FastifyInstance,
  { folder, readCompany, style, lookUps }: MyPages,
): Promise<void> {
  const built = followBuiltPages(folder);
  const schema = { hide: true };
  const companyOf = async (request: FastifyRequest) => {
    const id = workspaceOf(request);
    // Without the database the app opens too, and says itself that the service cannot be reached.
    return id === null ? null : readCompany(id).catch(() => null);
  };
  for (const url of pages)
    app.get(url, { schema }, async (request, reply) => {
      const page = built.page();
      const company = await companyOf(request);
      return sendBuiltPage(reply, page && companyPage(page, addressOf(request), company, style), contentPolicy);
    });
  for (const prefix of ['', '/:workspace']) {
    app.get(`${prefix}/manifest.webmanifest`, { schema }, async (request, reply) =>
      reply
        .header('Cache-Control', shortly)
        .type('application/manifest+json')
        .send(manifestOf(addressOf(request), await companyOf(request))),
    );
    app.get(`${prefix}/icon.svg`, { schema }, async (request, reply) =>
      reply
        .header('Cache-Control', shortly)
        .type('image/svg+xml')
        .send(iconOf(await companyOf(request))),
    );
  }
  serveScreen(app, lookUps);
  app.get<{ Params: { name: string } }>('/asset/:name', { schema }, (request, reply) =>
    built.sendAsset(request, reply, request.params.name),
  );
}

function workspaceOf({ params }: FastifyRequest): number | null {
  const { workspace = '' } = params as { workspace?: string };
  return /^[1-9]\d{0,14}$/.test(workspace) ? Number(workspace) : null;
}

function addressOf(request: FastifyRequest): string {
  const id = workspaceOf(request);
  return id === null ? '/my' : `/my/${id}`;
}
