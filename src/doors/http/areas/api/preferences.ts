import { changePreferences, readPreferences } from '../../../../company/directory/preferences.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { Preferences, PreferencesChange, preferencesSchemas } from '../../../../ground/contract/preferences.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const preferencesRoutes: Routes = async (app, { lookUps, people }) => {
  operation(app, 'getMyPreferences', 'GET /', 'me:read', {
    summary: 'Get your preferences',
    description: 'What the member that the caller acts as has chosen. A caller who acts as no person gets 404.',
    query: noQuery,
    returns: json('The preferences.', Preferences),
    fails: [404],
    handler: ({ workspaceId, caller }) => readPreferences(lookUps, workspaceId, caller.workspace.memberId),
  });

  operation(app, 'changeMyPreferences', 'PATCH /', 'me:write', {
    summary: 'Change your preferences',
    description:
      'Changes what is given. A preferred name gives 403 unless the workspace lets people set it. What an identity provider sends later replaces names, language and time zone.',
    body: PreferencesChange,
    returns: json('The preferences.', Preferences),
    fails: [404],
    handler: ({ workspaceId, actor, caller, body }) =>
      inWorkspace(people, workspaceId, (tx) =>
        changePreferences(tx, actor, workspaceId, caller.workspace.memberId, body),
      ),
  });
};

export const preferences: Resource = {
  prefix: '/me/preferences',
  tag: { name: 'Preferences', description: 'What people choose for themselves.' },
  schemas: preferencesSchemas,
  routes: preferencesRoutes,
};
