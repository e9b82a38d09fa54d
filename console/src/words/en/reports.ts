export const reports = {};
