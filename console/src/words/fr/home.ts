export const home: typeof import('../en/home.ts').home = {};
