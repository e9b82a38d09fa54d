import Type from 'typebox';
import { logoPath } from '../../../../company/workspaces/brands.ts';
import { setLogo } from '../../../../company/workspaces/logo.ts';
import {
  readSettings,
  readSettingsToChange,
  updateSettings,
  type WorkspaceSettings,
} from '../../../../company/workspaces/settings.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { Settings, SettingsChange, settingsSchemas } from '../../../../ground/contract/settings.ts';
import { followTimeZone } from '../../../../insight/reports/time-zone.ts';
import { needsFile } from './media.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, nothing } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

/** A little more than a logo may have, so that the rule of logos names what is wrong. */
const mostLogoBytes = 1_000_000;
const imageTypes = ['image/png', 'image/jpeg'];
const image = Type.Unsafe<Buffer>({ type: 'string', description: 'The bytes of a PNG or JPEG image, at most 100 KB.' });

const settingsRoutes: Routes = async (app, { lookUps, people }) => {
  app.addContentTypeParser(imageTypes, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  operation(app, 'getSettings', 'GET /', 'settings:read', {
    summary: 'Get the settings',
    description: 'What the workspace wants its gifts, emails and pages to be like, and its policies.',
    query: noQuery,
    returns: json('All settings.', Settings),
    isVersioned: true,
    handler: async ({ workspaceId }, reply) =>
      sendVersion(reply, shown(workspaceId, await readSettings(lookUps, workspaceId))),
  });

  operation(app, 'changeSettings', 'PATCH /', 'settings:manage', {
    summary: 'Change settings',
    description:
      'Changes the settings that are given. Gifts that were issued before keep the day on which they expire.',
    body: SettingsChange,
    returns: json('All settings.', Settings),
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, body } = request;
      const saved = await people.transaction(async (tx) => {
        await matchVersion(request, async () => shown(workspaceId, await readSettingsToChange(tx, workspaceId)));
        return updateSettings(tx, actor, workspaceId, body, followTimeZone);
      });
      return sendVersion(reply, shown(workspaceId, saved));
    },
  });

  operation(app, 'setLogo', 'PUT /logo', 'settings:manage', {
    bodyLimit: mostLogoBytes,
    summary: 'Set the logo',
    description: 'Every email carries it and every gift page shows it, at most 180 pixels wide and 40 high.',
    body: { content: Object.fromEntries(imageTypes.map((type) => [type, { schema: image }])) },
    returns: json('All settings.', Settings),
    preValidation: needsFile(`an image: send its Content-Type, ${imageTypes.join(' or ')}`),
    handler: async ({ workspaceId, actor, body }) => {
      await people.transaction((tx) => setLogo(tx, actor, workspaceId, body as Buffer));
      return shown(workspaceId, await readSettings(people, workspaceId));
    },
  });

  operation(app, 'removeLogo', 'DELETE /logo', 'settings:manage', {
    summary: 'Remove the logo',
    description: "Emails and gift pages show the company's name instead.",
    returns: nothing('There is no logo.'),
    handler: ({ workspaceId, actor }) => people.transaction((tx) => setLogo(tx, actor, workspaceId, null)),
  });
};

function shown(workspaceId: number, { logoMark, ...settings }: WorkspaceSettings): Settings {
  return { ...settings, logo: logoPath(workspaceId, logoMark) };
}

export const settings: Resource = {
  prefix: '/settings',
  tag: { name: 'Settings', description: 'Branding, emails and policies of the workspace.' },
  schemas: settingsSchemas,
  routes: settingsRoutes,
};
