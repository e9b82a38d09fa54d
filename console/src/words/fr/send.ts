export const send: typeof import('../en/send.ts').send = {};
