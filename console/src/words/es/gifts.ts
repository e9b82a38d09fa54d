export const gifts: typeof import('../en/gifts.ts').gifts = {};
