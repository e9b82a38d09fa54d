import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from '../../src/ground/values/csv.ts';
import { cellEnd, rowEnd } from '../../src/ground/values/csv-bytes.ts';
import { recount } from '../support/derived.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, type TestWorkspace } from '../support/workspace.ts';

const service = await startService();
const { database } = service;
const path = '/api/v1/reports/members/last-recognized';
/** As many people as the service reads at once. */
const pieceRows = 2_000;

/** Texts that need quotes, an apostrophe, both or neither. */
const oddTexts = [
  ...[
    'plain',
    '',
    'a "quoted" word',
    'comma, comma',
    'semi;colon',
    'bar|bar',
    'tab\ttab',
    'line\nline',
    'line\r\nline',
  ],
  ...['=1+1', '+1', '-1', '@now', "'=1", ' =1', '\u00a0=1', '＝1', 'x;=1', 'x\n-1', '"=1"', '\t', "'", '-'],
  ...['Zoë', '李雷', '🎁', 'é=', '\u00e9', '\ufeff', 'null', 'NULL', '\\N', '\\.', 'a\\b', `it's`],
];

/** Adds people, each recognized by a shoutout on the day that `dayOf` (SQL on `nth`) gives. One in fifty has left. */
async function addPeople({ id }: TestWorkspace, count: number, dayOf: string, texts: readonly string[]): Promise<void> {
  await database.query(
    `with counted as (
       update activity_counters set total = $2, latest = now() where workspace_id = $1
     ),
     added as (
       insert into members (workspace_id, team_id, email, employee_number, first_name, last_name, department, cost_centre, location,
                            left_at, recognition_count, last_recognized_on, last_recognized_by, last_recognized_number)
       select w.id, w.default_team_id, case when nth % 2 = 0 then nth || '@example.com' end, 'n' || nth, ($3::text[])[1 + nth % $4],
              ($3::text[])[1 + (nth / 3) % $4], ($3::text[])[1 + (nth / 5) % $4], nullif(($3::text[])[1 + (nth / 7) % $4], ''),
              case when nth % 3 = 0 then ($3::text[])[1 + nth % $4] end, case when nth % 50 = 0 then now() end, 1,
              ${dayOf}, 'SHOUTOUT', nth
         from workspaces w, generate_series(1, $2::int) nth
        where w.id = $1
       returning workspace_id, id, last_recognized_number as number, last_recognized_on as day
     )
     insert into activities (workspace_id, number, type, status, sender_id, receiver_id, description, created_on)
     select workspace_id, number, 'SHOUTOUT', 'APPROVED', id, id, '', day::timestamp at time zone 'utc' from added`,
    [id, count, texts, texts.length],
  );
  await recount(database, id);
}

/** The file as a plain statement and `csvText` make it. */
async function expectedFile({ id }: TestWorkspace, withLeavers: boolean): Promise<string> {
  const rows = await database.query<Record<string, string | null>>(
    `select m.email, m.first_name as "firstName", m.last_name as "lastName", m.last_recognized_on::text as "lastDate",
            m.last_recognized_by as type, m.employee_number as "employeeNumber", m.department, m.cost_centre as "costCentre", m.location,
            t.name as team, (m.left_at is null)::text as active
       from members m join teams t on t.workspace_id = m.workspace_id and t.id = m.team_id
      where m.workspace_id = $1 and m.last_recognized_on is not null and (m.left_at is null or $2)
      order by m.last_recognized_on desc, m.id`,
    [id, withLeavers],
  );
  return csvText([Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map((cell) => cell ?? ''))]);
}

async function expectSame(workspace: TestWorkspace): Promise<void> {
  for (const withLeavers of [false, true]) {
    const { status, body } = await workspace.call<string>(`${path}?includeInactive=${withLeavers}`, {
      headers: { Accept: 'text/csv' },
    });
    assert.equal(status, 200);
    // Not `equal`, which would print both files.
    const [lines, expected] = [body.split('\n'), (await expectedFile(workspace, withLeavers)).split('\n')];
    const differing = expected.findIndex((line, nth) => line !== lines[nth]);
    assert.deepEqual([lines.length, lines[differing]], [expected.length, expected[differing]]);
  }
}

test('the file has everybody in order, and the texts of csvText, wherever a piece ends', async () => {
  const onOneDay = `date '2026-01-01'`;
  const onManyDays = `date '2026-01-01' + nth % 700`;
  const mostlyOnOne = `date '2026-01-01' + greatest(0, nth - 3000) % 3`;
  for (const [count, dayOf] of [
    [2 * pieceRows + 500, onOneDay],
    [2 * pieceRows + 500, mostlyOnOne],
    [pieceRows + 500, onManyDays],
    // With leavers, and without them, exactly one piece.
    [pieceRows, onManyDays],
    [(pieceRows / 49) * 50, onOneDay],
  ] as const) {
    const workspace = await openWorkspace(service);
    await addPeople(workspace, Math.floor(count), dayOf, oddTexts);
    await expectSame(workspace);
  }
});

test('texts that contain what ends cells and rows between PostgreSQL and the service stay as they are', async () => {
  const workspace = await openWorkspace(service);
  await addPeople(workspace, pieceRows + 500, `date '2026-01-01' + nth % 7`, [
    `a${cellEnd}b`,
    `${rowEnd}`,
    `=${cellEnd}${rowEnd}`,
    'plain',
  ]);
  await expectSame(workspace);
});
