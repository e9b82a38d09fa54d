import type { Queryable } from '../database/database.ts';
import { type KnownPeople, knowNobody, type LineAhead, type NamedPerson } from '../directory/recipient-rules.ts';
import { isOpen, learn, readLines, takeInAhead } from '../directory/recipients.ts';
import { survivorOf } from '../directory/who.ts';
import type { Asked, Checked } from './check.ts';
import { isOffered } from './reasons.ts';

/** Reads the lines about these people in orders that count before a shoutout that is given now. */
export type ReadAhead = (tx: Queryable, workspaceId: number, people: readonly NamedPerson[]) => Promise<LineAhead[]>;

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
  const recipients = givings.map(({ shoutout }) => named(shoutout.recipient));
  const senders = givings.flatMap(({ shoutout }) => (shoutout.sender ? [named(shoutout.sender)] : []));
  const lines = await readLines(tx, workspaceId, [...recipients, ...senders]);
  const known = knowNobody();
  for (const line of lines) learn(known, line);
  const open = lines.filter((line) => isOpen(known, line));
  if (open.length > 0) await takeInAhead(tx, workspaceId, known, await readAhead(tx, workspaceId, open));

  const selves = await readSelves(tx, workspaceId, givings);
  const reasons = await readReasons(tx, workspaceId, givings);
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
    })),
  };
}

interface Names {
  email?: string | null;
  employeeNumber?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

function named({ email, employeeNumber, firstName, lastName }: Names) {
  return {
    email: email ?? null,
    employeeNumber: employeeNumber ?? null,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
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

/** Those of the reasons asked for that the workspace offers. */
async function readReasons(tx: Queryable, workspaceId: number, givings: readonly Asked[]): Promise<Set<number>> {
  const asked = givings.flatMap(({ shoutout }) => shoutout.reasonId ?? []);
  if (asked.length === 0) return new Set();
  const rows = await tx.query<{ id: number }>(
    `select r.id from reasons r where r.workspace_id = $1 and r.id = any($2::bigint[]) and ${isOffered('r')}`,
    [workspaceId, asked],
  );
  return new Set(rows.map(({ id }) => id));
}
