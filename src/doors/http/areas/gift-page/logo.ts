import type { FastifyInstance } from 'fastify';
import type { GiftSettings } from '../../../../company/workspaces/gift-settings.ts';
import { readLogo, readLogoMark } from '../../../../company/workspaces/logo.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { keptForGood, nothingHere } from './assets.ts';
import type { GiftPageOptions } from './options.ts';
import type { PageCompany } from './page.ts';

/** The company as a page shows it. */
export async function readPageCompany(
  on: Queryable,
  workspaceId: number,
  settings: GiftSettings,
): Promise<PageCompany> {
  const { name, colour, hasLogo } = settings;
  const mark = hasLogo ? await readLogoMark(on, workspaceId) : null;
  return { name, colour, logo: mark === null ? null : `/g/logo/${workspaceId}-${mark}` };
}

// A drawing can carry a script. Only the <img> of a page is meant to open it, where scripts do not run.
const imagePolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'";

export function serveLogo(app: FastifyInstance, { database }: GiftPageOptions): void {
  app.get<{ Params: { name: string } }>('/logo/:name', { schema: { hide: true } }, async (request, reply) => {
    const [, workspaceId, mark = ''] = /^([1-9]\d{0,14})-([0-9a-f]{32})$/.exec(request.params.name) ?? [];
    const logo = workspaceId ? await readLogo(database, Number(workspaceId), mark) : null;
    if (!logo) throw nothingHere();
    reply.header('Cache-Control', keptForGood).header('Content-Security-Policy', imagePolicy);
    return reply.type(logo.type).send(logo.bytes);
  });
}
