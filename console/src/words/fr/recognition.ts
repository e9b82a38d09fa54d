export const recognition: typeof import('../en/recognition.ts').recognition = {};
