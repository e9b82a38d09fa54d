export const send = {};
