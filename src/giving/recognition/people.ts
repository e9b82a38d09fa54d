import { unknownEmployeeNumbers } from '../../company/directory/members.ts';
import type { KnownPeople, NamedPerson } from '../../company/directory/recipient-rules.ts';
import { knowPeople, type ReadAhead, readRecipientLines } from '../../company/directory/recipients.ts';
import { survivorOf } from '../../company/directory/who.ts';
import type { Queryable } from '../../ground/database/database.ts';
import type { Asked, Checked } from './check.ts';
import { offeredReasons } from './reasons.ts';

export interface Surroundings {
  known: KnownPeople;
  /** In the order of the shoutouts. */
  checked: Checked[];
}

/** Reads what a batch of shoutouts has to be compared with. */
export async function readSurroundings(
  tx: Queryable,
  workspaceId: number,
  givings: readonly Asked[],
  readAhead: ReadAhead,
): Promise<Surroundings> {
  const recipients = givings.map(({ shoutout }) => shoutout.recipient);
  const senders = givings.flatMap(({ shoutout }) => shoutout.sender ?? []);
  const lines = await readRecipientLines(tx, workspaceId, [...recipients, ...senders]);
  const known = await knowPeople(tx, workspaceId, lines, readAhead);

  const selves = await readSelves(tx, workspaceId, givings);
  const reasons = await offeredReasons(
    tx,
    workspaceId,
    givings.flatMap(({ shoutout }) => shoutout.reasonId ?? []),
  );
  const unseen = await findUnseen(tx, workspaceId, givings);
  const sendersNamed = lines.slice(givings.length).values();
  return {
    known,
    checked: givings.map(({ workspace, shoutout }, nth) => ({
      workspace,
      shoutout,
      recipient: lines[nth] as NamedPerson,
      sender: shoutout.sender ? (sendersNamed.next().value as NamedPerson) : null,
      self: selves.get(workspace.memberId) ?? workspace.memberId,
      reasons,
      isUnseen: unseen.has(nth),
    })),
  };
}

/** The members behind the tokens; merged records resolve to the surviving record. */
async function readSelves(tx: Queryable, workspaceId: number, givings: readonly Asked[]): Promise<Map<number, number>> {
  const rows = await tx.query<{ id: number; survivor: number }>(
    `select m.id, ${survivorOf('m')} as survivor
       from members m
      where m.workspace_id = $1
        and m.id = any($2::bigint[])`,
    [workspaceId, [...new Set(givings.map(({ workspace }) => workspace.memberId))]],
  );
  return new Map(rows.map(({ id, survivor }) => [id, survivor]));
}

/** The positions of shoutouts of managers whose recipient is named by a number alone that none of their reports has. */
async function findUnseen(tx: Queryable, workspaceId: number, givings: readonly Asked[]): Promise<Set<number>> {
  const unseen = new Set<number>();
  for (const [nth, { workspace, shoutout }] of givings.entries()) {
    const { email, employeeNumber } = shoutout.recipient;
    if (workspace.onlyReportsOf === null || email || !employeeNumber) continue;
    const unknown = await unknownEmployeeNumbers(tx, workspaceId, [employeeNumber], workspace.onlyReportsOf);
    if (unknown.size > 0) unseen.add(nth);
  }
  return unseen;
}
