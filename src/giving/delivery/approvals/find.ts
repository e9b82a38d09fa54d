import { type Queryable, queryOptional } from '../../../ground/database/database.ts';
import type { LinkedMail } from '../mail-link.ts';
import { type ApprovalMail, approvalMailColumns, approvalMailGroup, approvalMailTables } from './due.ts';

/** The email to an approver that a link belongs to; null for a link of a history that a restore has ended. */
export function findAskingMail(on: Queryable, { workspaceId, mailId }: LinkedMail): Promise<ApprovalMail | null> {
  return queryOptional<ApprovalMail>(
    on,
    `select ${approvalMailColumns}
       from approval_mails q
       ${approvalMailTables}
      where q.workspace_id = $1
        and q.mail_id = $2
        and q.kind = 'ASKED'
      group by ${approvalMailGroup}`,
    [workspaceId, mailId],
  );
}
