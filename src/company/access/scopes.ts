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
  'people:erase',
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
  'me:read',
  'me:write',
  'feed:read',
  'feed:write',
  'feed:moderate',
] as const;
export type Scope = (typeof scopes)[number];

/**
 * What all employees may do, with what is theirs and in the feed. A caller with these scopes acts as one member, and every route that asks
 * for one of them limits itself to what this member may see.
 */
export const personalScopes = ['me:read', 'me:write', 'feed:read', 'feed:write'] as const satisfies readonly Scope[];

export function isPersonal(scope: string | undefined): boolean {
  return personalScopes.some((one) => one === scope);
}

/** Whether a scope is about the feed, which people who have left do not see. */
export function isFeed(scope: string): boolean {
  return scope.startsWith('feed:');
}

/**
 * A token gets these only if they are named. With the first two, a caller can give access to others, with the third one spend the
 * budgets of others, with the next two change what is checked before gifts are sent, and with the next one let gifts be sent without a further order.
 * The last ones are for people: they read and spend what one member has received, and change what colleagues wrote.
 */
const onlyIfNamed: readonly Scope[] = [
  'tokens:manage',
  'users:manage',
  'orders:delegate',
  'rules:manage',
  'approvals:decide',
  'automations:manage',
  'people:erase',
  ...personalScopes,
  'feed:moderate',
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
