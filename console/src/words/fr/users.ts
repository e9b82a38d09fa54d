export const users: typeof import('../en/users.ts').users = {};
