import { randomBytes } from 'node:crypto';
import { hashSecret } from '../../company/access/token-secret.ts';
import { audit } from '../../company/workspaces/audit.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { FeedPost } from '../../ground/contract/feed.ts';
import type { CreatedFeedScreen, FeedScreen } from '../../ground/contract/feed-screen.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { takeIds } from '../../ground/database/ids.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { momentText } from '../recognition/activity.ts';
import { readPublicFeed } from './read.ts';

/** Far more than a company has walls. */
const mostScreens = 100;
const shown = 20;

const fields = `s.id, s.name, ${momentText('s.created_at')} || 'Z' as "createdAt"`;

export function listScreens(on: Queryable, workspaceId: number): Promise<FeedScreen[]> {
  return on.query<FeedScreen>(`select ${fields} from feed_screens s where s.workspace_id = $1 order by s.id`, [
    workspaceId,
  ]);
}

/** Creates a screen. The secret of its link is in the response alone. */
export async function createScreen(
  tx: Queryable,
  actor: Actor,
  workspaceId: number,
  name: string,
): Promise<CreatedFeedScreen> {
  const { count } = await queryOne<{ count: number }>(
    tx,
    'select count(*) as count from feed_screens where workspace_id = $1',
    [workspaceId],
  );
  if (count >= mostScreens)
    throw invalid([{ path: 'name', problem: `is one of more than ${mostScreens}: revoke others` }]);
  const [id] = (await takeIds(tx, 'feed_screens', 1)) as [number];
  const secret = randomBytes(24).toString('base64url');
  const screen = await queryOne<FeedScreen>(
    tx,
    `insert into feed_screens as s (workspace_id, id, name, token_hash, created_at)
     values ($1, $2, $3, $4, now())
     returning ${fields}`,
    [workspaceId, id, name, hashSecret(secret)],
  );
  await audit(tx, { workspaceId, actor, action: 'feed.screen_created', subject: { id, name } });
  return { ...screen, link: `/my/${workspaceId}/tv#${secret}` };
}

/** Revokes the link of a screen. The page says so at its next look, and shows nothing any more. */
export async function deleteScreen(tx: Queryable, actor: Actor, workspaceId: number, id: number): Promise<void> {
  const [screen] = await tx.query<{ name: string }>(
    'delete from feed_screens where workspace_id = $1 and id = $2 returning name',
    [workspaceId, id],
  );
  if (!screen) throw new Failure('missing', 'There is no screen with this id in this workspace.');
  await audit(tx, { workspaceId, actor, action: 'feed.screen_revoked', subject: { id, name: screen.name } });
}

/** A shoutout as a screen shows it: what everyone may read, without ids. */
export interface ScreenPost {
  sender: string;
  receivers: string[];
  /** How many people are thanked beside those. */
  others: number;
  team: string | null;
  reason: string;
  message: string;
  at: string;
  withGift: boolean;
}

/** The latest public shoutouts, for a browser with the link of a screen; null: the link is wrong, or was revoked. */
export async function readScreen(on: Queryable, workspaceId: number, secret: string): Promise<ScreenPost[] | null> {
  const found = await on.query('select from feed_screens where workspace_id = $1 and token_hash = $2', [
    workspaceId,
    hashSecret(secret),
  ]);
  return found.length === 0 ? null : (await readPublicFeed(on, workspaceId, shown)).map(screenPost);
}

function screenPost(post: FeedPost): ScreenPost {
  const { sender, receivers, receiverCount, team, reason, message, createdAt, gift } = post;
  return {
    sender: nameOf(sender),
    receivers: receivers.map(nameOf),
    others: receiverCount - receivers.length,
    team: team?.name ?? null,
    reason: reason?.description ?? '',
    message,
    at: createdAt,
    withGift: gift !== null,
  };
}

function nameOf({ firstName, lastName }: FeedPost['sender']): string {
  return `${firstName} ${lastName}`.trim();
}
