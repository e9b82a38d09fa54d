export const integrations: typeof import('../en/integrations.ts').integrations = {};
