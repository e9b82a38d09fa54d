import type { Mutation } from './mutation.ts';

export const sdkMutations: Mutation[] = [
  {
    name: 'client-new-key',
    promise: 'an order keeps its key over the attempts of the client',
    file: 'sdk/src/transport.ts',
    find: 'attemptCall(options, call, request, read, isStream, attempt + 1)',
    replace:
      'attemptCall(options, call, requestOf(options, { ...call, idempotencyKey: String(Math.random()) }), read, isStream, attempt + 1)',
    caughtBy: ['sdk/retries.slow.test.ts'],
    only: 'an answer that is lost after the commit yields one order',
  },
  {
    name: 'client-does-twice',
    promise: 'the client does not repeat what would be done twice',
    file: 'sdk/src/retries.ts',
    find: 'if (once) return false;',
    replace: '',
    caughtBy: ['sdk/retries.slow.test.ts'],
    only: 'what would be done twice is not sent twice, unless the service has refused it before doing anything',
  },
  {
    name: 'client-any-signature',
    promise: 'the client refuses a webhook that is not signed with its secret',
    file: 'sdk/src/verify.ts',
    find: "signature !== null && crypto.subtle.verify('HMAC', key, signature, signed)",
    replace: 'signature !== null',
    caughtBy: ['sdk/verify.test.ts'],
    only: 'another secret, another body, another id and another time are refused',
  },
];
