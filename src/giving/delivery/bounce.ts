import { inWorkspace } from '../../company/workspaces/lock.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import { type Database, type Queryable, queryOptional } from '../../ground/database/database.ts';
import { readGiftsById } from '../gifts/gift.ts';
import { moveGifts } from '../gifts/moves.ts';
import type { GiftTokenKeys } from '../gifts/token-keys.ts';
import type { BounceFacts } from './bounce-report.ts';
import { type MailName, readMailNames } from './compose/message-id.ts';
import { failGiftMail, withdrawMails } from './queue.ts';

/** FAILED: it is not tried again. DEFERRED: another mail server tries again. KNOWN: nothing new. */
export type BounceEffect = { giftId: number; effect: 'FAILED' | 'DEFERRED' | 'KNOWN' };

/**
 * Takes an email that came back. It is found by its Message-ID or its return path, which only we can make. Null where no email of the
 * workspace is meant. The log of the gift names the caller who reported it.
 */
export async function takeBounce(
  database: Database,
  keys: GiftTokenKeys,
  actor: Actor,
  workspaceId: number,
  { names, status, isFinal, answer }: BounceFacts,
): Promise<BounceEffect | null> {
  const name = readMailNames(keys, names).find((one) => one.workspaceId === workspaceId);
  if (!name) return null;
  return inWorkspace(database, workspaceId, async (tx) => {
    const [gift] = await readGiftsById(tx, workspaceId, [name.giftId]);
    if (!gift) return null;
    const isNews = isFinal ? await markFailed(tx, name) : gift.edition === name.edition;
    if (!isNews) return { giftId: gift.id, effect: 'KNOWN' };
    const returned = { gift, by: actor, detail: { kind: name.kind, answer, status, returned: true } };
    if (!isFinal) await moveGifts(tx, workspaceId, [{ type: 'DEFERRED', ...returned }]);
    else if (name.kind === 'THANKS') await moveGifts(tx, workspaceId, [{ type: 'THANKS_FAILED', ...returned }]);
    else {
      await failGiftMail(tx, workspaceId, gift);
      await withdrawMails(tx, workspaceId, gift, ['REMINDER']);
      await moveGifts(tx, workspaceId, [{ type: 'DELIVERY_FAILED', ...returned, data: { status } }]);
    }
    return { giftId: gift.id, effect: isFinal ? 'FAILED' : 'DEFERRED' };
  });
}

/** Returns whether that was not known before, and concerns the edition that counts. */
async function markFailed(tx: Queryable, { workspaceId, giftId, kind, edition, nth }: MailName): Promise<boolean> {
  const marked = await queryOptional<{ isCurrent: boolean }>(
    tx,
    `update mails m
        set state = 'FAILED'
       from certificates c
      where c.workspace_id = $1
        and c.id = $2
        and m.workspace_id = c.workspace_id
        and m.request_id = c.request_id
        and m.position = c.position
        and m.kind = $3
        and m.edition = $4
        and m.nth = $5
        and m.state in ('SENT', 'DEFERRED')
     returning c.edition = m.edition as "isCurrent"`,
    [workspaceId, giftId, kind, edition, nth],
  );
  return marked?.isCurrent ?? false;
}
