/** What a caller can be allowed to do. Each route of the interface asks for one of these. */
export const scopes = [
  'orders:write',
  'orders:read',
  'gifts:read',
  'gifts:manage',
  'budgets:read',
  'budgets:manage',
  'reports:read',
  'directory:read',
  'directory:write',
  'recognition:read',
  'recognition:write',
  'recognition:delegate',
  'recognition:approve',
  'recognition:manage',
  'events:read',
  'webhooks:manage',
  'settings:read',
  'settings:manage',
  'tokens:manage',
  'users:manage',
  'audit:read',
] as const;
export type Scope = (typeof scopes)[number];

/** With one of these a caller can let others in. A token gets them only if somebody asks for them by name. */
const letsOthersIn: readonly Scope[] = ['tokens:manage', 'users:manage'];

/** The scopes of a token that is made without saying which. */
export const usualScopes: readonly Scope[] = scopes.filter((scope) => !letsOthersIn.includes(scope));
