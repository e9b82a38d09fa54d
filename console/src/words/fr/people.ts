export const people: typeof import('../en/people.ts').people = {};
