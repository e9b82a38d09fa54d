import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { actorOf } from '../../../../company/access/actor.ts';
import type { Grant } from '../../../../company/access/grants.ts';
import { setLogo } from '../../../../company/workspaces/logo.ts';
import { readSettings, updateSettings, type WorkspaceSettings } from '../../../../company/workspaces/settings.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import { Settings, SettingsChange, SettingsQuery, settingsSchemas } from '../../../../ground/contract/settings.ts';
import type { Database, Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { needsFile } from './media.ts';
import type { Resource } from './resource.ts';
import { tidySettings } from './tidy.ts';

export interface SettingsOptions {
  lookUps: Queryable;
  people: Database;
}

/** A little more than a logo may have, so that the rule of logos names what is wrong. */
const mostLogoBytes = 1_000_000;
const imageTypes = ['image/png', 'image/jpeg'];
const image = Type.Unsafe<Buffer>({ type: 'string', description: 'The bytes of a PNG or JPEG image, at most 100 KB.' });

const settingsRoutes: FastifyPluginAsyncTypebox<SettingsOptions> = async (app, { lookUps, people }) => {
  const headers = Type.Object(WorkspaceHeader);
  const json = { content: { 'application/json': { schema: ref(Settings) } } };
  app.addContentTypeParser(imageTypes, { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'settings:read' },
    schema: {
      operationId: 'getSettings',
      summary: 'Get the settings',
      description: 'What the workspace wants its gifts, mails and pages to be like, and its policies.',
      headers,
      querystring: SettingsQuery,
      response: { 200: { description: 'All settings.', ...json }, ...problems(400, 401, 403, 406, 429, 500, 503) },
    },
    handler: async ({ caller: { workspace } }) => shown(workspace, await readSettings(lookUps, workspace.workspaceId)),
  });

  app.route({
    method: 'PATCH',
    url: '',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'changeSettings',
      summary: 'Change settings',
      description:
        'Changes the settings that are given. Gifts that were issued before keep the day on which they expire.',
      headers,
      body: ref(SettingsChange),
      response: {
        200: { description: 'All settings.', ...json },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: async (request) => {
      request.body = tidySettings(request.body) as typeof request.body;
    },
    handler: async ({ grant, caller, body }) => {
      const { workspaceId } = caller.workspace;
      const settings = await people.transaction((tx) => updateSettings(tx, actorOf(grant), workspaceId, body));
      return shown(caller.workspace, settings);
    },
  });

  const changeLogo = (grant: Grant, workspaceId: number, bytes: Buffer | null) =>
    people.transaction((tx) => setLogo(tx, actorOf(grant), workspaceId, bytes));

  app.route({
    method: 'PUT',
    url: '/logo',
    config: { access: 'settings:manage' },
    bodyLimit: mostLogoBytes,
    schema: {
      operationId: 'setLogo',
      summary: 'Set the logo',
      description: 'Every mail carries it and every gift page shows it, at most 180 pixels wide and 40 high.',
      headers,
      body: { content: Object.fromEntries(imageTypes.map((type) => [type, { schema: image }])) },
      response: {
        200: { description: 'All settings.', ...json },
        ...problems(400, 401, 403, 406, 413, 415, 429, 500, 503),
      },
    },
    preValidation: needsFile(`an image: send its Content-Type, ${imageTypes.join(' or ')}`),
    handler: async ({ grant, caller, body }) => {
      const { workspaceId } = caller.workspace;
      await changeLogo(grant, workspaceId, body as unknown as Buffer);
      return shown(caller.workspace, await readSettings(people, workspaceId));
    },
  });

  app.route({
    method: 'DELETE',
    url: '/logo',
    config: { access: 'settings:manage' },
    schema: {
      operationId: 'removeLogo',
      summary: 'Remove the logo',
      description: "Mails and gift pages show the company's name instead.",
      headers,
      response: {
        204: { description: 'There is no logo.', type: 'null' },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async ({ grant, caller }, reply) => {
      await changeLogo(grant, caller.workspace.workspaceId, null);
      return reply.code(204).send(null);
    },
  });
};

/** The address of the logo has its mark, so that browsers can keep it. */
function shown({ workspaceId }: { workspaceId: number }, { logoMark, ...settings }: WorkspaceSettings): Settings {
  return { ...settings, logo: logoMark === null ? null : `/g/logo/${workspaceId}-${logoMark}` };
}

export const settings: Resource<SettingsOptions> = {
  prefix: '/settings',
  tag: { name: 'Settings', description: 'Branding, mails and policies of the workspace.' },
  schemas: settingsSchemas,
  routes: settingsRoutes,
};
