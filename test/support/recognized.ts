import type { MemberFields } from '../../src/company/directory/member-fields.ts';
import type { Queryable } from '../../src/ground/database/database.ts';
import { createTestDatabase } from './database.ts';
import { recount } from './derived.ts';
import { startService, type TestService } from './service.ts';
import { openWorkspace, type TestWorkspace } from './workspace.ts';

/** A member for a report, with the last recognition. */
export interface Recognized extends Omit<MemberFields, 'managerId'> {
  /** The manager's index among the people. */
  manager?: number | null;
  lastDate?: string | null;
  type?: string | null;
}

export { ada } from './shoutouts.ts';

/** Somebody whose texts have letters beyond ASCII, and characters that a URL or a pattern reads in another way. */
export const office = {
  costCentre: 'CC + 100/é',
  department: 'Recherche & Développement',
  location: 'Montréal',
  currency: 'CAD',
  employeeNumber: 'No 7a%_',
  lastDate: '2026-02-02',
  manager: 0,
};

/** A service whose database may hold last recognitions without activities. */
export async function startForRecognized(): Promise<TestService> {
  const mayDisagree = 'people are given dates of recognition without activities behind them';
  return startService({ database: await createTestDatabase({ mayDisagree }) });
}

/** Opens a workspace with people who were recognized on certain days. Its token acts as the given member, if any. */
export async function openRecognized(
  service: TestService,
  people: Recognized[] = [],
  actsAs?: string,
): Promise<TestWorkspace> {
  const fields = people.map(({ manager: _, lastDate: __, type: ___, ...member }) => member);
  const workspace = await openWorkspace(service, { people: fields, ...(actsAs !== undefined && { actsAs }) });
  const idOf = (nth: number | null | undefined) => workspace.memberIds[nth ?? -1];
  for (const [nth, { manager }] of people.entries())
    if (typeof manager === 'number')
      await workspace.change(idOf(nth) as number, { managerId: idOf(manager) as number });
  await recognize(service.database, workspace, people);
  return workspace;
}

/** Writes the last recognitions, without activities. */
async function recognize(database: Queryable, { id, memberIds }: TestWorkspace, people: Recognized[]): Promise<void> {
  const recognized = people.flatMap(({ lastDate, type }, nth) =>
    lastDate ? [{ id: memberIds[nth], on: lastDate, by: type ?? 'GIFT' }] : [],
  );
  await database.query(
    `update members m
        set recognition_count = 1, last_recognized_on = r.on, last_recognized_by = r.by, last_recognized_number = 1
       from jsonb_to_recordset($2) as r(id integer, "on" date, by text)
      where m.workspace_id = $1
        and m.id = r.id`,
    [id, JSON.stringify(recognized)],
  );
  await recount(database, id);
}

export interface Recorded {
  sender: number;
  receiver: number;
  at: string;
  text?: string;
  status?: 'PENDING' | 'APPROVED';
  reasonId?: number | null;
  isPrivate?: boolean;
}

/** Records shoutouts at certain times, without counting them for their receivers. */
export async function addShoutouts(database: Queryable, workspaceId: number, shoutouts: Recorded[]): Promise<void> {
  for (const { sender, receiver, at, text = 'Well done', ...rest } of shoutouts)
    await database.query(
      `with counter as (
         update activity_counters set total = total + 1, latest = $4 where workspace_id = $1 returning total)
       insert into activities (workspace_id, number, type, status, sender_id, receiver_id, reason_id, is_private,
                               description, created_on)
       select $1, total, 'SHOUTOUT', $5, $2, $3, $6, $7, $8, $4::timestamptz from counter`,
      [
        workspaceId,
        sender,
        receiver,
        at,
        rest.status ?? 'APPROVED',
        rest.reasonId ?? null,
        rest.isPrivate ?? false,
        text,
      ],
    );
}
