/** What a caller can be allowed to do. Each route of the interface asks for one of these. */
export const scopes = [
  'orders:write',
  'orders:read',
  'orders:delegate',
  'gifts:read',
  'gifts:manage',
  'gifts:correct',
  'gifts:redeem',
  'budgets:read',
  'budgets:manage',
  'rules:read',
  'rules:manage',
  'approvals:read',
  'approvals:decide',
  'automations:read',
  'automations:manage',
  'reports:read',
  'directory:read',
  'directory:write',
  'recognition:read',
  'recognition:write',
  'recognition:delegate',
  'recognition:approve',
  'recognition:manage',
  'events:read',
  'webhooks:read',
  'webhooks:manage',
  'settings:read',
  'settings:manage',
  'tokens:manage',
  'users:manage',
  'audit:read',
] as const;
export type Scope = (typeof scopes)[number];

/**
 * A token gets these only if they are named. With the first two, a caller can give access to others, with the third one spend the
 * budgets of others, with the next two change what is checked before gifts are sent, and with the last one let gifts be sent without a further order.
 */
const onlyIfNamed: readonly Scope[] = [
  'tokens:manage',
  'users:manage',
  'orders:delegate',
  'rules:manage',
  'approvals:decide',
  'automations:manage',
];

/** The scopes of a token that is made without saying which. */
export const usualScopes: readonly Scope[] = scopes.filter((scope) => !onlyIfNamed.includes(scope));

/** Scopes that allow more than their own routes. Tokens were made with these before there was a scope for a part of it. */
const implied: Partial<Record<Scope, Scope>> = {
  'webhooks:manage': 'webhooks:read',
  'gifts:manage': 'gifts:correct',
};

/** The scopes of a caller, with those that they imply. */
export function withImplied(own: readonly string[]): string[] {
  return [...new Set(own.flatMap((scope) => [scope, implied[scope as Scope] ?? scope]))];
}
