import type { FastifyRequest } from 'fastify';
import type { Grants } from '../../../../company/access/grants.ts';
import { fileRead, type ReadTraces } from '../../../../company/access/read-traces.ts';
import type { Database } from '../../../../ground/database/database.ts';
import { checkAgain, workspaceOfHeader } from '../../callers/authenticate.ts';
import { createExportLimit } from './export-limit.ts';

/** What routes need that answer with a file. All of them share the limits on files. */
export interface Exports {
  /** For the statements of a file. A file can take hours: if the caller loses the right to it meanwhile, it ends there. */
  databaseFor(request: FastifyRequest): Database;
  /** Counts a file until the returned function is called, or rejects it. */
  begin(request: FastifyRequest): () => void;
  /** Writes to the audit log that the caller gets the file of this name. */
  note(request: FastifyRequest, name: string): Promise<void> | null;
}

export function createExports(grants: Grants, database: Database, traces: ReadTraces): Exports {
  const begin = createExportLimit();
  return {
    databaseFor: (request) => ({
      ...database,
      query: async (sql, values, use) => {
        await checkAgain(grants, request, workspaceOfHeader);
        return database.query(sql, values, use);
      },
    }),
    begin: ({ caller }) => begin(caller.workspace.workspaceId),
    note: ({ grant, caller }, name) => traces.note(grant, caller.workspace.workspaceId, fileRead(name)),
  };
}
