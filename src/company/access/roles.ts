import { type Scope, scopes, usualScopes } from './scopes.ts';

export const roles = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER', 'AUDITOR'] as const;
export type Role = (typeof roles)[number];

/** What a role allows in its workspace. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  // orders:delegate is there to give it to tokens: orders reject a sender that a person names.
  OWNER: scopes,
  PEOPLE_TEAM: [...usualScopes, 'rules:manage', 'approvals:decide', 'automations:manage'],
  // Only on routes that limit themselves to a manager's own reports: authenticate.ts refuses the others.
  MANAGER: [
    'orders:write',
    'orders:read',
    'gifts:read',
    // Of gifts that they sent.
    'gifts:correct',
    'reports:read',
    'directory:read',
    'recognition:read',
    'recognition:write',
    // Of orders that they are asked about, or sent.
    'approvals:read',
    'approvals:decide',
    // Of messages that they are asked to add a line to.
    'automations:read',
  ],
  APPROVER: ['recognition:read', 'recognition:approve', 'approvals:read', 'approvals:decide'],
  AUDITOR: scopes.filter((scope) => scope.endsWith(':read')),
};

/** Whether users with this role see only their own direct and indirect reports. */
export function seesReportsOnly(role: Role): boolean {
  return role === 'MANAGER';
}

/** True for an account that has a role in any workspace. `alias` is an alias of `users`. */
export function hasRoles(alias: string): string {
  return `exists (select from user_roles r where r.user_id = ${alias}.id)`;
}
