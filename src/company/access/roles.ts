import type { Queryable } from '../../ground/database/database.ts';
import { isPersonal, personalScopes, type Scope, scopes, usualScopes } from './scopes.ts';

/** The roles that owners give to users. */
export const roles = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER', 'AUDITOR'] as const;
export type Role = (typeof roles)[number];

/** EMPLOYEE is the role of members of the directory: they have it without being added as users. */
export type PersonRole = Role | 'EMPLOYEE';

/** What a role allows in its workspace. */
export const scopesOfRole: Readonly<Record<PersonRole, readonly Scope[]>> = {
  // orders:delegate is there to give it to tokens: orders reject a sender that a person names.
  OWNER: scopes,
  PEOPLE_TEAM: [
    ...usualScopes,
    'rules:manage',
    'approvals:decide',
    'automations:manage',
    'people:erase',
    'feed:moderate',
    ...personalScopes,
  ],
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
    ...personalScopes,
  ],
  APPROVER: ['recognition:read', 'recognition:approve', 'approvals:read', 'approvals:decide', ...personalScopes],
  AUDITOR: [...scopes.filter((scope) => scope.endsWith(':read')), 'me:write', 'feed:write'],
  EMPLOYEE: personalScopes,
};

/** Whether users with this role see only their own direct and indirect reports. */
export function seesReportsOnly(role: PersonRole): boolean {
  return role === 'MANAGER';
}

/** True for an account that has a role in any workspace. `alias` is an alias of `users`. */
export function hasRoles(alias: string): string {
  return `exists (select from user_roles r where r.user_id = ${alias}.id)`;
}

/** What a caller needs to give and to take a role. What all employees may do gives a user no power over others. */
export function scopesToGive(role: Role): Scope[] {
  return scopesOfRole[role].filter((scope) => !isPersonal(scope));
}

/** Whether an account has a role in any workspace. */
export async function hasRole(tx: Queryable, userId: number): Promise<boolean> {
  const held = await tx.query('select from user_roles where user_id = $1 limit 1', [userId]);
  return held.length > 0;
}
