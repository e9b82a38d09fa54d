export const audit: typeof import('../en/audit.ts').audit = {};
