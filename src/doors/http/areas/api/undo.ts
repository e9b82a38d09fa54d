import { mayGive } from '../../../../company/access/list-users.ts';
import { listUndos, undoChange, undoHours } from '../../../../company/undo/undo.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { UndoableChange, UndoList, UndoParams, undoSchemas } from '../../../../ground/contract/undo.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const longestUndoMs = 60_000;

const undoRoutes: Routes = async (app, { lookUps, imports, undoKinds: kinds }) => {
  operation(app, 'listUndos', 'GET /', 'directory:write', {
    summary: 'List what can be undone',
    description: `Merges of members, imports of people, changed roles and retired reasons of the last ${undoHours} hours that the caller may undo: those that they may make. The operation takes no parameters.`,
    query: noQuery,
    returns: json('What can be undone.', UndoList),
    handler: async ({ workspaceId, grant }) => ({
      changes: await listUndos(lookUps, kinds, workspaceId, (scopes) => mayGive(grant, workspaceId, scopes)),
    }),
  });

  operation(app, 'undo', 'POST /:id', 'directory:write', {
    holdsMs: longestUndoMs,
    summary: 'Undo a change',
    description:
      'Undoes a change as a whole, once. It also needs the scopes of the change, for example users:manage for a role. A change that was undone or has expired gives 409. So does one whose data was changed since, and then nothing is undone.',
    params: UndoParams,
    returns: json('The change, which is undone.', UndoableChange),
    fails: [409],
    handler: ({ workspaceId, actor, grant, params }) =>
      undoChange(imports, kinds, {
        workspaceId,
        id: params.id,
        actor,
        allows: (scopes) => mayGive(grant, workspaceId, scopes),
      }),
  });
};

export const undo: Resource = {
  prefix: '/undo',
  tag: { name: 'Undo', description: 'What can be undone for a while.' },
  schemas: undoSchemas,
  routes: undoRoutes,
};
