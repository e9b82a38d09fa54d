export const bulk: typeof import('../en/bulk.ts').bulk = {};
