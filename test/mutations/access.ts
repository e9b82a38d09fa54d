import type { Mutation } from './mutation.ts';

export const accessMutations: Mutation[] = [
  {
    name: 'expired-token',
    promise: 'a token is worth nothing after it has expired',
    file: 'src/access/grants.ts',
    find: 'return grant.expiresAt !== null && grant.expiresAt <= Date.now() ? null : grant;',
    replace: 'return grant;',
    caughtBy: ['access.test.ts'],
  },
  {
    name: 'revoked-token',
    promise: 'a revoked token is refused',
    file: 'src/access/grants.ts',
    find: /\n +and t\.revoked_at is null/,
    replace: '',
    caughtBy: ['access.test.ts'],
  },
  {
    name: 'unheard-changes',
    promise: 'a revoked token is refused within a second, also where changes are not heard of',
    file: 'src/access/grants.ts',
    find: '(age < longestMs && this.#changes.hasHeardAll(unheardMs))',
    replace: 'age < longestMs',
    caughtBy: ['grants.test.ts'],
  },
  {
    name: 'grant-read-during-change',
    promise: 'what a token lost while its rights were being read is not kept',
    file: 'src/access/grants.ts',
    find: 'if (forgotten === this.#forgotten) this.#remember',
    replace: 'this.#remember',
    caughtBy: ['grants.test.ts'],
  },
];
