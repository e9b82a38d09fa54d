import type { Queryable } from '../../ground/database/database.ts';
import type { GiftKey } from '../gifts/gift.ts';

/** The email about a gift of a history, and what became of it. */
export interface PastMail extends GiftKey {
  state: 'SENT' | 'FAILED' | 'CANCELLED';
  at: Date;
}

/** Stores emails that were sent, or could not be sent, in the past. */
export async function storePastMails(tx: Queryable, workspaceId: number, mails: readonly PastMail[]): Promise<void> {
  await tx.query(storeSql, [workspaceId, JSON.stringify(mails)]);
}

const storeSql = `
  insert into mails (workspace_id, request_id, position, kind, edition, nth, state, due_at, attempts, sent_at)
  select $1, "requestId", position, 'GIFT', 0, 0, state, at, (state = 'FAILED')::int, case when state = 'SENT' then at end
    from jsonb_to_recordset($2::jsonb) as past ("requestId" uuid, position int, state text, at timestamptz)`;
