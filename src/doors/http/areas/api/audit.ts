import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type AuditFilters, type AuditRecord, readAudit } from '../../../../company/access/read-audit.ts';
import { AuditPage, AuditQuery, auditSchemas } from '../../../../ground/contract/audit.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import type { Exports } from './exports.ts';
import { operation } from './operation.ts';
import type { Resource } from './resource.ts';
import { jsonOrCsv } from './returns.ts';

export interface AuditOptions {
  reports: Queryable;
  exports: Exports;
}

const columns = ['id', 'at', 'actor', 'actorId', 'actorName', 'action', 'subjectId', 'subjectName', 'detail'] as const;
const pieceSize = 1_000;

const auditRoutes: FastifyPluginAsyncTypebox<AuditOptions> = async (app, { reports, exports }) => {
  operation(app, 'readAuditLog', 'GET /', 'audit:read', {
    summary: 'Read the audit log',
    description:
      'Who did what, the latest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
    query: AuditQuery,
    returns: jsonOrCsv('A page of entries, and where to go on.', AuditPage),
    handler: async ({ workspaceId, query: { size, after, bom, ...filters } }) => {
      const place = { size, ...(after !== undefined && { after }) };
      const { entries, next } = await readAudit(reports, workspaceId, filters, place);
      return { entries: entries.map(shown), next };
    },
    csv: {
      exports,
      file: ({ workspaceId, query: { size, after, bom, ...filters } }, database) => ({
        name: 'audit-log',
        columns,
        rows: allEntries(database, workspaceId, filters),
      }),
    },
  });
};

/** The log is read from its end to its beginning, and grows at its end: a file has each entry once. */
async function* allEntries(database: Queryable, workspaceId: number, filters: AuditFilters) {
  let after: number | null = null;
  do {
    const place: { size: number; after?: number } = { size: pieceSize, ...(after !== null && { after }) };
    const { entries, next } = await readAudit(database, workspaceId, filters, place);
    yield entries.map((entry) => ({ ...shown(entry), detail: JSON.stringify(entry.detail) }));
    after = next;
  } while (after !== null);
}

function shown({ at, ...entry }: AuditRecord) {
  return { ...entry, at: at.toISOString() };
}

export const audit: Resource<AuditOptions> = {
  prefix: '/audit',
  tag: { name: 'Audit', description: 'Who did what.' },
  schemas: auditSchemas,
  routes: auditRoutes,
};
