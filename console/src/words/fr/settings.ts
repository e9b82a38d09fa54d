export const settings: typeof import('../en/settings.ts').settings = {};
