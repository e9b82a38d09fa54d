import { createKioskCode, readKioskCode, revokeKioskCode } from '../../../../company/access/kiosk-codes.ts';
import { inWorkspace } from '../../../../company/workspaces/lock.ts';
import { KioskCode, KioskCodeRecord, kioskCodeSchemas } from '../../../../ground/contract/kiosk-code.ts';
import { MemberParams } from '../../../../ground/contract/member.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { created, json, nothing } from './returns.ts';

const kioskCodeRoutes: Routes = async (app, { lookUps, people, kioskKeys }) => {
  operation(app, 'getKioskCode', 'GET /:id/kiosk-code', 'directory:write', {
    summary: 'When a kiosk code was created',
    description: 'The code itself is stored nowhere. A person without one gives 404.',
    params: MemberParams,
    query: noQuery,
    returns: json('The code, without the code.', KioskCodeRecord),
    handler: async ({ workspaceId, params }) => {
      const { createdAt, usedAt } = await readKioskCode(lookUps, workspaceId, params.id);
      return { createdAt: createdAt.toISOString(), usedAt: usedAt?.toISOString() ?? null };
    },
  });

  operation(app, 'createKioskCode', 'POST /:id/kiosk-code', 'directory:write', {
    returnsSecret: true,
    summary: 'Create a kiosk code',
    description:
      'A code with which a person signs in at a kiosk, beside their employee number. It replaces the earlier one, ends its sessions, and is shown once. A person without an employee number, or who has left, gives 409.',
    params: MemberParams,
    returns: created('The code.', KioskCode),
    fails: [409],
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => createKioskCode(tx, actor, workspaceId, params.id, kioskKeys)),
  });

  operation(app, 'revokeKioskCode', 'DELETE /:id/kiosk-code', 'directory:write', {
    summary: 'Revoke a kiosk code',
    description: 'The sessions that the person has opened at kiosks end within a second.',
    params: MemberParams,
    returns: nothing('There is no code.'),
    handler: ({ workspaceId, actor, params }) =>
      inWorkspace(people, workspaceId, (tx) => revokeKioskCode(tx, actor, workspaceId, params.id)),
  });
};

export const kioskCodes: Resource = {
  prefix: '/members',
  tag: { name: 'Kiosks', description: 'Codes for people who sign in at a shared device.' },
  schemas: kioskCodeSchemas,
  routes: kioskCodeRoutes,
};
