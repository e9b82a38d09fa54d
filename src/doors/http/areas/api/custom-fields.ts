import { listCustomFields } from '../../../../company/directory/custom-fields.ts';
import {
  addCustomField,
  changeCustomField,
  readCustomField,
  removeCustomField,
} from '../../../../company/directory/define-fields.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import {
  CustomFieldChange,
  CustomFieldList,
  CustomFieldParams,
  CustomFieldRecord,
  customFieldSchemas,
  ListedCustomField,
  NewCustomField,
} from '../../../../ground/contract/custom-field.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { mostCustomFields } from '../../../../ground/values/custom-field.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const customFieldRoutes: Routes = async (app, { lookUps, reports, people }) => {
  operation(app, 'listCustomFields', 'GET /', 'directory:read', {
    summary: 'List custom fields',
    description: 'The fields of people that the workspace has defined. The operation takes no parameters.',
    query: noQuery,
    returns: json('All custom fields.', CustomFieldList),
    handler: async ({ workspaceId }) => ({ customFields: await listCustomFields(lookUps, workspaceId) }),
  });

  operation(app, 'getCustomField', 'GET /:key', 'directory:read', {
    summary: 'Get a custom field',
    description: 'One field, and how many people have a value.',
    params: CustomFieldParams,
    returns: json('The field.', CustomFieldRecord),
    isVersioned: true,
    handler: async ({ workspaceId, params }, reply) =>
      sendVersion(reply, await readCustomField(reports, workspaceId, params.key)),
  });

  operation(app, 'addCustomField', 'POST /', 'settings:manage', {
    summary: 'Add a custom field',
    description: `Defines a field of people. A workspace has up to ${mostCustomFields}: one more gives 400. A key that another field has gives 409.`,
    body: NewCustomField,
    returns: created('The field.', ListedCustomField),
    fails: [409],
    handler: ({ workspaceId, actor, body }) =>
      inWorkspace(people, workspaceId, (tx) => addCustomField(tx, actor, workspaceId, body)),
  });

  operation(app, 'changeCustomField', 'PATCH /:key', 'settings:manage', {
    summary: 'Change a custom field',
    description:
      'Changes the label or the choices. To remove a choice that people have gives 409. Key and kind never change.',
    params: CustomFieldParams,
    body: CustomFieldChange,
    returns: json('The field.', CustomFieldRecord),
    fails: [409],
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      const changed = await inWorkspace(people, workspaceId, async (tx) => {
        await matchVersion(request, () => readCustomField(tx, workspaceId, params.key));
        await changeCustomField(tx, actor, workspaceId, params.key, body);
        return readCustomField(tx, workspaceId, params.key);
      });
      return sendVersion(reply, changed);
    },
  });

  operation(app, 'removeCustomField', 'DELETE /:key', 'settings:manage', {
    summary: 'Remove a custom field',
    description:
      'Removes the field and all its values. No caller reads the values from now on, and they are deleted within minutes. This cannot be undone. People get no `member.changed` event for it.',
    params: CustomFieldParams,
    returns: nothing('The field is removed.'),
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => removeCustomField(tx, actor, workspaceId, params.key)),
  });
};

export const customFields: Resource = {
  prefix: '/custom-fields',
  tag: { name: 'Custom fields', description: 'Fields of people that a workspace defines.' },
  schemas: customFieldSchemas,
  routes: customFieldRoutes,
};
