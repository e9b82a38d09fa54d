export const reports: typeof import('../en/reports.ts').reports = {};
