import type { Queryable } from '../../../ground/database/database.ts';
import { type Deciders, readDeciders } from '../../approvals/deciders.ts';
import { type ApprovalRow, allParties, askedAbout, readApprovalRows } from '../../approvals/read.ts';
import type { ApprovalMail } from './due.ts';

/** What an email and its page say about orders that wait, or that were decided. The orders of a file are one matter. */
export interface Matter {
  requestIds: string[];
  sender: string;
  gifts: number;
  total: number;
  currency: string;
  /** The recipient and the message of the only gift; null of several. */
  only: { recipient: string; message: string } | null;
  note: string | null;
  rule: string;
  decideBy: Date;
  level: number;
  levels: number;
  /** Who approved at the level before. */
  approvedBy: string | null;
  ownersAsked: boolean;
  /** The decision of the level that the email is about; null while it waits. */
  decision: MatterDecision | null;
}

export interface MatterDecision {
  is: 'APPROVED' | 'DECLINED' | 'EXPIRED';
  /** Null if no person decided in time. */
  by: { id: number; name: string } | null;
  comment: string | null;
  at: Date;
  /** Whether the next level is asked now. */
  isFirstOfTwo: boolean;
}

export interface ReadMatter {
  /** Orders that the person is asked about now; null: none. */
  open: Matter | null;
  /** Orders that were decided at the level of the email; null: none that the person may read about. */
  decided: Matter | null;
  /** Whether an order of the email waits for the person now, also if it is asked about by a later email. */
  isAskedNow: boolean;
  /** The person whom the account acts as; null: they do not decide, or have left. */
  memberId: number | null;
}

/** The orders of an email as they are now. */
export async function readMatter(on: Queryable, mail: ApprovalMail): Promise<ReadMatter> {
  const { workspaceId, orders } = mail;
  const rows = await readApprovalRows(
    on,
    workspaceId,
    orders.map(({ requestId }) => requestId),
  );
  const deciders = await readDeciders(on, workspaceId);
  // The person whom the account acts as now decides.
  const memberId = deciders.byUser.get(mail.userId ?? 0) ?? null;
  const byId = new Map(rows.map((row) => [row.requestId, row]));
  const meant = orders.flatMap(({ requestId, since, level }) => {
    const row = byId.get(requestId);
    return row && Date.parse(since) === +row.since ? [{ row, level }] : [];
  });
  const isAsked = (row: ApprovalRow) => askedAbout(row, deciders).asked.some(({ id }) => id === memberId);
  const isOpen = ({ row, level }: Meant) => row.level === level && isAsked(row);
  // An approver who has become a party, for example by a merge, does not read what another approver wrote about the order.
  const mayRead = (row: ApprovalRow) =>
    mail.kind === 'DECIDED' || (memberId !== null && !allParties(row).includes(memberId));
  const isDecided = ({ row, level }: Meant) => decisionOf(row, level) !== undefined && mayRead(row);
  return {
    open: matterOf(meant.filter(isOpen), deciders),
    decided: matterOf(meant.filter(isDecided), deciders),
    isAskedNow: rows.some(isAsked),
    memberId,
  };
}

interface Meant {
  row: ApprovalRow;
  /** Of the email. */
  level: number;
}

function decisionOf({ decisions }: ApprovalRow, level: number) {
  return decisions.find((one) => one.level === level);
}

function matterOf(meant: readonly Meant[], deciders: Deciders): Matter | null {
  const [first] = meant;
  if (!first) return null;
  const { row, level } = first;
  const rows = meant.map((one) => one.row);
  const gifts = rows.reduce((sum, one) => sum + one.gifts, 0);
  const made = decisionOf(row, level);
  return {
    requestIds: rows.map(({ requestId }) => requestId),
    sender: row.sender.name,
    gifts,
    // Amounts have at most four digits behind the point.
    total: Math.round(rows.reduce((sum, one) => sum + one.total, 0) * 10_000) / 10_000,
    currency: row.currency,
    only: gifts === 1 ? { recipient: row.recipient, message: row.message } : null,
    note: row.note,
    rule: row.rule.name,
    decideBy: new Date(Math.min(...rows.map(({ dueAt }) => +dueAt))),
    level,
    levels: row.levels.length,
    approvedBy: decisionOf(row, level - 1)?.by?.name ?? null,
    ownersAsked: askedAbout(row, deciders).ownersAsked,
    decision: made
      ? {
          is: made.decision,
          by: made.by,
          comment: made.comment,
          at: new Date(made.at),
          isFirstOfTwo: made.decision === 'APPROVED' && level < row.levels.length,
        }
      : null,
  };
}
