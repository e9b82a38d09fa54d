import { type AuditFilters, type AuditRecord, readAudit } from '../../../../company/access/read-audit.ts';
import { verifyAudit } from '../../../../company/workspaces/audit-verify.ts';
import { AuditPage, AuditQuery, AuditVerification, auditSchemas } from '../../../../ground/contract/audit.ts';
import { VerificationQuery } from '../../../../ground/contract/ledger.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json, jsonOrCsv } from './returns.ts';

const columns = ['id', 'at', 'actor', 'actorId', 'actorName', 'action', 'subjectId', 'subjectName', 'detail'] as const;
const pieceSize = 1_000;

/** A million entries take some seconds. */
const holdsMs = 50_000;

const auditRoutes: Routes = async (app, { verification, reports, exports }) => {
  operation(app, 'readAuditLog', 'GET /', 'audit:read', {
    summary: 'Read the audit log',
    description:
      'Who did what, the latest first. Filters combine with AND. An unknown parameter gives 400. `Accept: text/csv` returns all that fit as CSV.',
    query: AuditQuery,
    returns: jsonOrCsv('A page of entries, and where the next page begins.', AuditPage),
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

  operation(app, 'verifyAuditLog', 'GET /verify', 'audit:read', {
    holdsMs,
    summary: 'Verify the audit log',
    description:
      'Compares every entry with its hash, which is made of its fields and of the hash of the entry before, as `giftwire audit verify` does. It also agrees after people were erased.',
    query: VerificationQuery,
    returns: json('What was found.', AuditVerification),
    handler: async ({ workspaceId, query }): Promise<AuditVerification> => {
      const at = new Date().toISOString();
      const known = query.head === undefined ? [] : [query.head];
      const { workspaceId: _, faults, lastTakenInAt, ...found } = await verifyAudit(verification, workspaceId, known);
      return {
        agrees: faults.length === 0,
        at,
        ...found,
        lastTakenInAt: lastTakenInAt?.toISOString() ?? null,
        faults: faults.map(({ number, problem }) => ({ number, problem })),
      };
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

export const audit: Resource = {
  prefix: '/audit',
  tag: { name: 'Audit', description: 'Who did what.' },
  schemas: auditSchemas,
  routes: auditRoutes,
};
