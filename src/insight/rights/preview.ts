import { accountsActingAs } from '../../company/access/erase-accounts.ts';
import { checkPerson } from '../../company/directory/change.ts';
import { recordsOf } from '../../company/directory/who.ts';
import { readWorkspace } from '../../company/workspaces/workspaces.ts';
import type { ErasureKept, ErasurePreview, ErasureRemoved } from '../../ground/contract/erasure.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import type { Relation, TableOfData } from '../../ground/values/personal.ts';
import { lineOfPeople } from '../../spending/redemptions/payroll-lines.ts';
import { taxEnd } from '../../spending/redemptions/tax-identities.ts';
import { declaredData } from './declared.ts';
import { readErasure } from './erasures.ts';
import { listObstacles } from './obstacles.ts';
import { type ErasedPeople, ofPeople, parametersOf } from './rows.ts';
import type { Traces } from './scrub.ts';
import { readTraces } from './traces.ts';

/** What is removed, as the preview sums it up. */
const groups = {
  IDENTITY: [
    ['members', 'described'],
    ['former_addresses', 'described'],
    ['member_emails', 'described'],
  ],
  WRITTEN: [
    ['activities', 'wrote'],
    ['certificates', 'wrote'],
    ['order_decisions', 'wrote'],
    ['occurrences', 'wrote'],
  ],
  RECEIVED: [
    ['activities', 'received'],
    ['certificates', 'received'],
  ],
  EMAILS: [
    ['mails', 'received'],
    ['approval_mails', 'received'],
    ['manager_mails', 'received'],
    ['digest_mails', 'received'],
    ['gift_log', 'received'],
  ],
  AUDIT: [
    ['audit_log', 'described'],
    ['audit_log', 'did'],
  ],
} as const satisfies Record<string, readonly (readonly [string, Relation])[]>;

/** What erasing a person would remove, what would stay and why, and what has to end before. Changes nothing. */
export async function previewErasure(on: Queryable, workspaceId: number, id: number): Promise<ErasurePreview> {
  await checkPerson(on, workspaceId, id);
  const records = (await on.query<{ id: number }>(recordsOf('$1', '$2'), [workspaceId, id])).map((row) => row.id);
  const accounts = await accountsActingAs(on, workspaceId, records);
  const people: ErasedPeople = { workspaceId, records, accounts };
  const removed: ErasureRemoved[] = [];
  for (const [group, parts] of Object.entries(groups)) {
    let count = 0;
    for (const [table, relation] of parts) count += await countRows(on, tableOf(table), relation, people);
    removed.push({ group: group as ErasureRemoved['group'], count });
  }
  removed.push({ group: 'ACCOUNTS', count: accounts.length });
  const { erasureNeedsTwo } = await readWorkspace(on, workspaceId);
  return {
    id,
    erasure: await readErasure(on, workspaceId, id),
    confirmation: erasureNeedsTwo ? 'TWO_PEOPLE' : 'PAUSE',
    obstacles: await listObstacles(on, workspaceId, id),
    removed,
    kept: await listKept(on, people),
  };
}

function tableOf(name: string): TableOfData {
  return declaredData.find(({ table }) => table === name) as TableOfData;
}

async function countRows(
  on: Queryable,
  declared: TableOfData,
  relation: Relation,
  people: ErasedPeople,
): Promise<number> {
  const sql = `select count(*)::int as count from ${declared.table} t where ${ofPeople(declared, [relation])}`;
  return (await queryOne<{ count: number }>(on, sql, parametersOf(people))).count;
}

async function listKept(on: Queryable, { workspaceId, records, accounts }: ErasedPeople): Promise<ErasureKept[]> {
  const traces = await readTraces(on, workspaceId, records, accounts);
  return on.query<ErasureKept>(keptSql, [workspaceId, records, patternsOf(traces)]);
}

const theirs =
  'select c.request_id, c.position from certificates c where c.workspace_id = $1 and c.member_id = any($2::bigint[])';

const keptSql = `
  select 'PAYROLL_LINES' as kind, count(*)::int as count, ${taxEnd}::text as until
    from (${lineOfPeople('$1', '$2')}) lines
  having count(*) > 0
   union all
  select 'TAX_LOG', count(*)::int, ${taxEnd}::text
    from redemptions d
   where d.workspace_id = $1
     and d.state in ('REQUESTED', 'DONE')
     and (d.request_id, d.position) in (${theirs})
  having count(*) > 0
   union all
  select 'LEDGER_NOTES', count(*)::int, null
    from ledger_entries l
   where l.workspace_id = $1
     and lower(jsonb_build_array(l.detail)::text) like any($3::text[])
  having count(*) > 0
   union all
  select 'COUNTS', null, null
   union all
  select 'MARK', 1, null`;

/** Patterns of SQL's `like` for rows that may have a trace, to be compared with the JSON of their columns in lower case. */
function patternsOf({ texts, values }: Traces): string[] {
  const inJson = (text: string) =>
    JSON.stringify(text.toLowerCase())
      .slice(1, -1)
      .replaceAll(/[\\%_]/g, '\\$&');
  return [...texts.map((text) => `%${inJson(text)}%`), ...values.map((value) => `%"${inJson(value)}"%`)];
}
