import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { type ImportOptions, type ImportOutcome, importMembers } from '../../src/company/import/import.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import type { Database } from '../../src/ground/database/database.ts';
import type { TestService } from './service.ts';

export interface Row {
  id: number;
  email: string | null;
  number: string | null;
  name: string;
  department: string | null;
  manager: string | null;
  team: string;
  active: boolean;
}

/** Opens a new workspace, with functions to import into it. */
export async function openImports(service: TestService, people?: string) {
  const { database } = service;
  const workspaceId = await service.addWorkspace();
  const take = async (
    file: string | Uint8Array | AsyncIterable<Uint8Array>,
    { database: on = database, ...options }: Partial<ImportOptions> & { database?: Database } = {},
  ) => {
    let rejected = '';
    const bytes = typeof file === 'string' || file instanceof Uint8Array ? inOnePiece(file) : file;
    const writeRejected = async (text: string) => {
      rejected += text;
    };
    const outcome = await importMembers(on, bytes, { workspaceId, actor: theService, writeRejected, ...options });
    const { rows, added, changed, unchanged } = outcome;
    assert.equal(rows, added + changed + unchanged + outcome.repeated + outcome.rejected, 'every row is counted once');
    return {
      ...outcome,
      counts: [added, changed, unchanged, outcome.rejected],
      file: rejected,
      reasons: (parse(rejected, { relax_column_count: true }) as string[][])
        .slice(1)
        .map(([line, reason]) => `${line}: ${reason}`),
    };
  };
  const list = () =>
    database.query<Row>(
      `select m.id, m.email, m.employee_number as number, m.first_name || '/' || m.last_name as name, m.department,
              coalesce(b.email, b.employee_number) as manager, t.name as team, m.left_at is null as active
         from members m
         join teams t on t.id = m.team_id
         left join members b on b.workspace_id = m.workspace_id and b.id = m.manager_id
        where m.workspace_id = $1 and not m.is_integration and m.merged_into is null
        order by m.id`,
      [workspaceId],
    );
  /** Everything that is stored about its people, with the transaction that wrote it. */
  const stored = () =>
    database.query(
      `select 'person', m.xmin, m::text from members m where workspace_id = $1
        union all
       select 'team', t.xmin, t::text from teams t where workspace_id = $1
        union all
       select 'membership', t.xmin, t::text from team_members t where workspace_id = $1
        order by 1, 3`,
      [workspaceId],
    );
  if (people !== undefined) assert.equal((await take(people)).rejected, 0);
  return { workspaceId, take, list, stored };
}

/** Imports a file in which every row is good. */
export function importAll(database: Database, workspaceId: number, text: string): Promise<ImportOutcome> {
  const writeRejected = async (rejected: string) => assert.fail(rejected);
  return importMembers(database, inOnePiece(text), { workspaceId, actor: theService, writeRejected });
}

export async function* inOnePiece(file: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof file === 'string' ? Buffer.from(file) : file;
}

/** The named fields of each row. */
export function pick<Name extends keyof Row>(rows: Row[], ...names: Name[]): Row[Name][][] {
  return rows.map((row) => names.map((name) => row[name]));
}
