import type { Mutation } from './mutation.ts';

export const recognitionMutations: Mutation[] = [
  {
    name: 'self-praise',
    promise: 'nobody recognizes themselves unless the workspace allows it',
    file: 'src/giving/recognition/check.ts',
    find: 'if (isSelf && !workspace.allowsSelfRecognition)',
    replace: 'if (isSelf && !workspace)',
    caughtBy: ['recognition/self-recognition.test.ts'],
    only: 'nobody can give themselves a shoutout, under any address or number',
  },
  {
    name: 'own-decision',
    promise: 'nobody decides a shoutout that they gave or received',
    file: 'src/giving/recognition/decide.ts',
    find: 'if (parties.length > 0)',
    replace: 'if (parties.length > 1)',
    caughtBy: ['recognition/self-recognition.test.ts'],
    only: 'the sender and the receiver of a shoutout cannot decide it, and others can',
  },
  {
    name: 'decided-twice',
    promise: 'a decision never changes',
    file: 'src/giving/recognition/decide.ts',
    find: /\n +and a\.status = 'PENDING'/,
    replace: '',
    caughtBy: ['recognition/decisions.test.ts'],
    only: 'of opposite decisions at once exactly one is taken, and equal ones count once',
  },
  {
    name: 'shoutout-tells-a-manager',
    promise: 'the record of a shoutout tells a manager no more about a colleague than they have sent',
    file: 'src/giving/recognition/give.ts',
    find: 'return { ...outcome, record: await this.#asSeen(giving, outcome.record) };',
    replace: 'return outcome;',
    caughtBy: ['orders/managers.test.ts'],
    only: 'an error about a shoutout does not tell a manager',
  },
];
