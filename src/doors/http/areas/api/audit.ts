import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type AuditFilters, type AuditRecord, readAudit } from '../../../../company/access/read-audit.ts';
import { AuditPage, AuditQuery, auditSchemas } from '../../../../ground/contract/audit.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import { sendCsv } from './csv.ts';
import { allAsCsv, type Exports } from './exports.ts';
import { asksForCsv } from './media.ts';
import type { Resource } from './resource.ts';

export interface AuditOptions {
  reports: Queryable;
  exports: Exports;
}

const columns = ['id', 'at', 'actor', 'actorId', 'actorName', 'action', 'subjectId', 'subjectName', 'detail'] as const;
const pieceSize = 1_000;

const auditRoutes: FastifyPluginAsyncTypebox<AuditOptions> = async (app, { reports, exports }) => {
  app.route({
    method: 'GET',
    url: '',
    config: { access: 'audit:read', csv: true },
    schema: {
      operationId: 'readAuditLog',
      summary: 'Read the audit log',
      description:
        'Who did what, the latest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
      headers: Type.Object(WorkspaceHeader),
      querystring: AuditQuery,
      response: {
        200: {
          description: 'A page of entries, and where to go on.',
          content: { 'application/json': { schema: ref(AuditPage) }, 'text/csv': allAsCsv },
        },
        ...problems(400, 401, 403, 406, 429, 500, 503),
      },
    },
    handler: async (request, reply) => {
      const { size, after, bom, ...filters } = request.query;
      const { workspaceId } = request.caller.workspace;
      if (asksForCsv(request)) {
        const rows = allEntries(exports.databaseFor(request), workspaceId, filters);
        return sendCsv(reply, { name: 'audit-log', columns, rows, hasByteOrderMark: bom }, exports);
      }
      const place = { size, ...(after !== undefined && { after }) };
      const { entries, next } = await readAudit(reports, workspaceId, filters, place);
      return { entries: entries.map(shown), next };
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
