export const tokens: typeof import('../en/tokens.ts').tokens = {};
