import assert from 'node:assert/strict';
import type { UndoableChange } from '../../src/ground/contract/undo.ts';
import type { TestService } from './service.ts';
import { openWorkspace } from './workspace.ts';

/** What says when something happened, that it happened, or is derived. */
const notCompared = [
  'undos',
  'undo_members',
  'audit_log',
  'audit_chains',
  'events',
  'event_counters',
  'activity_counters',
  'background_migrations',
  'request_keys',
  'open_imports',
  'report_snapshots',
  'report_snapshot_parts',
  'retention_runs',
];

/** All rows of a workspace, apart from when they were changed, and how often a token was used. */
export async function rowsOf(service: TestService, workspaceId: number): Promise<Record<string, unknown[]>> {
  const { database } = service;
  const tables = await database.query<{ name: string }>(
    `select table_name as name
       from information_schema.columns
      where table_schema = 'public' and column_name = 'workspace_id' and table_name <> all($1)
      order by 1`,
    [notCompared],
  );
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) {
    const rows = await database.query<{ row: unknown }>(
      `select to_jsonb(t) - 'changed_at' - 'requests' as row from ${name} t where t.workspace_id = $1 order by t::text`,
      [workspaceId],
    );
    const isCount = (row: object) => 'members' in row && 'leavers' in row && !row.members && !row.leavers;
    const kept = rows.map(({ row }) => row as object).filter((row) => name !== 'recognition_days' || !isCount(row));
    found[name] = kept.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}

/** What people read: the directory, and reports. */
const reads = [
  '/api/v1/members?includeInactive=true&size=1000',
  '/api/v1/reports/members/last-recognized?includeInactive=true&size=1000',
  '/api/v1/reports/members/last-recognized?neverRecognized=true&size=1000',
  '/api/v1/reports/coverage?by=department&from=2020-01-01&to=2099-01-01',
  '/api/v1/reports/teams/activity?size=100',
  '/api/v1/users',
  '/api/v1/reasons',
];

/** A workspace whose owner undoes changes. */
export async function openUndos(service: TestService, opening: Parameters<typeof openWorkspace>[1] = {}) {
  const workspace = await openWorkspace(service, opening);
  const { id, call, read } = workspace;
  const list = async () => (await read<{ changes: UndoableChange[] }>('/api/v1/undo')).changes;
  const undo = (change: string, asked: object = {}) =>
    call<UndoableChange & { message: string }>(`/api/v1/undo/${change}`, { method: 'POST', ...asked });
  const state = async () => ({
    rows: await rowsOf(service, id),
    reads: await Promise.all(
      reads.map(async (path) => {
        const { status, body } = await call(path);
        return {
          path,
          status,
          body: JSON.parse(JSON.stringify(body).replaceAll(/"(?:asOf|computedAt)":"[^"]*",?/g, '')),
        };
      }),
    ),
  });
  return {
    ...workspace,
    list,
    undo,
    state,
    /** Makes a change, and undoes it: all is as before. Returns what was undone. */
    async undoing(change: () => Promise<unknown>): Promise<UndoableChange> {
      const before = await state();
      await change();
      assert.notDeepEqual(await state(), before, 'the change changes nothing');
      const [latest] = await list();
      assert(latest, 'the change cannot be undone');
      const { status, body } = await undo(latest.id);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(await state(), before);
      return body;
    },
    /** The change cannot be undone now, and the attempt changes nothing. Returns why. */
    async refused(change: string): Promise<string> {
      const before = await state();
      const { status, body } = await undo(change);
      assert.equal(status, 409, JSON.stringify(body));
      assert.deepEqual(await state(), before);
      return body.message;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every form are read here.
type Step = (operationId: string, expected: number, sent?: object) => Promise<any>;

/** Retires a reason, and undoes that. */
export async function walkUndo(step: Step, reason: object): Promise<void> {
  await step('retireReason', 204, { path: reason });
  await step('retireReason', 404, { path: { id: 999_999_999 } });
  const [latest] = (await step('listUndos', 200)).changes;
  await step('listUndos', 400, { query: '?who=1' });
  await step('undo', 200, { path: { id: latest.id } });
  await step('undo', 409, { path: { id: latest.id } });
  await step('undo', 404, { path: { id: '01a1df76-7923-7084-a702-6abd76aadac6' } });
}
