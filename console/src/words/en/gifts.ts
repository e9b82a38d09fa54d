export const gifts = {};
