import type { Approver } from '@giftwire/sdk';

/** Roles that may decide. */
export const decidingRoles = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER'] as const;

/** An approver as one text, for fields: manager, role:OWNER or member:5. */
export function keyOf({ is, role, memberId }: Approver): string {
  if (is === 'MANAGER') return 'manager';
  return is === 'ROLE' ? `role:${role}` : `member:${memberId}`;
}

export function approverOf(key: string): Approver {
  const [kind, value = ''] = key.split(':');
  if (kind === 'manager') return { is: 'MANAGER' };
  if (kind === 'role') return { is: 'ROLE', role: value as NonNullable<Approver['role']> };
  return { is: 'MEMBER', memberId: Number(value) };
}
