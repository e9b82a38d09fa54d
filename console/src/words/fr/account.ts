export const account: typeof import('../en/account.ts').account = {};
