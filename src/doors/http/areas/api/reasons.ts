import {
  addReason,
  changeReason,
  listReasons,
  listReasonsToChange,
  retireReason,
} from '../../../../giving/recognition/reasons.ts';
import {
  NewReason,
  Reason,
  ReasonChange,
  ReasonList,
  ReasonParams,
  reasonSchemas,
} from '../../../../ground/contract/reason.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';
import { matchVersion, sendVersion } from './versions.ts';

const reasonRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'listReasons', 'GET /', 'recognition:read', {
    forManagers: true,
    summary: 'List reasons',
    description:
      'All reasons of the workspace that are not retired, the default first. The operation takes no parameters.',
    query: noQuery,
    returns: json('All reasons.', ReasonList),
    isVersioned: true,
    handler: async ({ workspaceId }, reply) => ({
      reasons: sendVersion(reply, await listReasons(lookUps, workspaceId)),
    }),
  });

  operation(app, 'addReason', 'POST /', 'recognition:manage', {
    summary: 'Add a reason',
    description:
      'Adding a retired reason brings it back. A description that another reason has, ignoring case, gives 409.',
    body: NewReason,
    returns: created('The reason.', Reason),
    fails: [409],
    handler: ({ workspaceId, actor, body }) => people.transaction((tx) => addReason(tx, actor, workspaceId, body)),
  });

  operation(app, 'changeReason', 'PATCH /:id', 'recognition:manage', {
    summary: 'Change a reason',
    description:
      'Renames the reason, also in past recognitions, or makes it the default. ETag and If-Match are the version of the whole list.',
    params: ReasonParams,
    body: ReasonChange,
    returns: json('The reason.', Reason),
    fails: [409],
    isVersioned: true,
    handler: (request, reply) => {
      const { workspaceId, actor, params, body } = request;
      return people.transaction(async (tx) => {
        await matchVersion(request, () => listReasonsToChange(tx, workspaceId));
        const changed = await changeReason(tx, actor, workspaceId, params.id, body);
        sendVersion(reply, await listReasons(tx, workspaceId));
        return changed;
      });
    },
  });

  operation(app, 'retireReason', 'DELETE /:id', 'recognition:manage', {
    summary: 'Retire a reason',
    description:
      'New shoutouts cannot use a retired reason; past recognitions keep it. Retiring the default reason gives 409.',
    params: ReasonParams,
    returns: nothing('The reason is retired.'),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      people.transaction((tx) => retireReason(tx, actor, workspaceId, params.id)),
  });
};

export const reasons: Resource = {
  prefix: '/reasons',
  tag: { name: 'Reasons', description: 'What people are recognized for.' },
  schemas: reasonSchemas,
  routes: reasonRoutes,
};
