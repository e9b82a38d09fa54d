import {
  previewRetention,
  readRetention,
  readRetentionToChange,
  setRetention,
} from '../../../../company/workspaces/retention-settings.ts';
import {
  RetentionChange,
  RetentionPreview,
  type RetentionRule,
  RetentionRules,
  retentionSchemas,
} from '../../../../ground/contract/retention.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';
import { versionsOf } from './versions.ts';

const retentionRoutes: Routes = async (app, { lookUps, reports, people, retentions }) => {
  operation(app, 'getRetention', 'GET /', 'settings:read', {
    summary: 'How long records are kept',
    description:
      'Every kind of record that workers remove by age, with its default and its reason. What proves money, and totals, are always kept.',
    query: noQuery,
    returns: json('All kinds.', RetentionRules),
    isVersioned: true,
    handler: async ({ workspaceId }, reply) =>
      versions.send(reply, { kinds: await readRetention(lookUps, retentions, workspaceId) }),
  });

  operation(app, 'changeRetention', 'PATCH /', 'settings:manage', {
    summary: 'Set how long records are kept',
    description:
      'Sets the kinds that are given; others stay. Workers remove what is older at once, in small batches. What they have removed does not come back: preview it first.',
    body: RetentionChange,
    returns: json('All kinds.', RetentionRules),
    isVersioned: true,
    handler: async (request, reply) => {
      const { workspaceId, actor, body } = request;
      const terms = (body.changes ?? []).map(({ kind, days = 'usual' as const }) => ({ kind, days }));
      const kinds = await people.transaction(async (tx) => {
        await versions.match(request, async () => ({
          kinds: await readRetentionToChange(tx, retentions, workspaceId),
        }));
        await setRetention(tx, actor, retentions, workspaceId, terms);
        return readRetention(tx, retentions, workspaceId);
      });
      return versions.send(reply, { kinds });
    },
  });

  operation(app, 'previewRetention', 'GET /preview', 'settings:read', {
    summary: 'Preview what the next run removes',
    description: 'Counts what is older than the workspace keeps it, by kind. A run begins once a day. Changes nothing.',
    query: noQuery,
    returns: json('Counts by kind.', RetentionPreview),
    handler: async ({ workspaceId }) => ({ due: await previewRetention(reports, retentions, workspaceId) }),
  });
};

/** What people edit. The number of removed records grows without an edit. */
const versions = versionsOf(({ kinds }: { kinds: RetentionRule[] }) => ({
  kinds: kinds.map(({ kind, days }) => ({ kind, days })),
}));

export const retention: Resource = {
  prefix: '/settings/retention',
  tag: { name: 'Retention', description: 'How long records are kept.' },
  schemas: retentionSchemas,
  routes: retentionRoutes,
};
