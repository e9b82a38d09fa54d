import type { Mutation } from './mutation.ts';

export const reportMutations: Mutation[] = [
  {
    name: 'self-of-others',
    promise: 'self is true only for the member behind the calling token',
    file: 'src/giving/recognition/activity.ts',
    find: "'self', ${user}.id = ${self})`",
    replace: "'self', ${user}.id >= ${self})`",
    caughtBy: ['reports/activity.test.ts'],
    only: 'self is true exactly for the member',
  },
  {
    name: 'answers-of-others',
    promise: 'what is kept for one reader is not shown to another',
    file: 'src/insight/reports/answers.ts',
    find: 'JSON.stringify([workspaceId, onlyReportsOf, self, question])',
    replace: 'JSON.stringify([workspaceId, self, question])',
    caughtBy: ['reports/answers.test.ts'],
  },
  {
    name: 'private-to-managers',
    promise: 'private shoutouts are seen by their people and approvers alone',
    file: 'src/giving/recognition/visibility.ts',
    find: "scopes.includes('recognition:approve')",
    replace: "scopes.includes('reports:read')",
    caughtBy: ['recognition/private.property.slow.test.ts'],
  },
  {
    name: 'past-the-manager',
    promise: 'a manager sees everybody below them, also those whose record is older',
    file: 'src/insight/reports/memory/below.ts',
    find: /\n +break;/,
    replace: '',
    caughtBy: ['reports/below.property.test.ts'],
    only: 'everybody below a manager is found, whatever the sequence of records',
  },
];
