import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { readEmployeeSettings } from '../../company/workspaces/employee-settings.ts';
import type { Actor } from '../../ground/contract/actor.ts';
import type { NewPost } from '../../ground/contract/feed.ts';
import type { OrderRequest } from '../../ground/contract/order.ts';
import type { NewPostGift } from '../../ground/contract/post-gift.ts';
import type { Database, Queryable } from '../../ground/database/database.ts';
import { tellSteps } from '../../ground/database/run-steps.ts';
import { Failure, invalid } from '../../ground/errors.ts';
import { decimalsProblem } from '../../ground/values/money.ts';
import { readGivable } from '../budgets/givable.ts';
import { acceptWith } from '../orders/accept-with.ts';
import type { AcceptStep } from '../orders/order-steps.ts';
import { repeatAfterSteps } from '../orders/repeat.ts';
import { makeRequestId } from '../orders/request-id.ts';
import { notePostGifts } from '../recognition/post-gifts.ts';
import { type GivenPost, givePost } from '../recognition/posts.ts';
import type { ShoutoutStep } from '../recognition/shoutout-steps.ts';

/** What giving and changing posts works with. */
export interface PostGiving {
  database: Database;
  steps: readonly ShoutoutStep[];
  /** The gate of every order. */
  acceptSteps: readonly AcceptStep[];
}

/** Who gives a post. */
export interface PostSender {
  /** The token or the user that shoutouts note; null for an employee. */
  tokenId: number | null;
  /** The same of orders, which note employees too. */
  callerId: number;
  actor: Actor;
  workspace: WorkspaceGrant;
}

type PostWithGift = NewPost & { gift: NewPostGift };

/**
 * Gives a post with a gift to each of its people. The order of the gifts passes the gate of every order in the transaction of the post, so there are both or
 * none. The post waits until the gifts are issued: settlePosts.
 */
export function giveWithGifts(
  { database, steps, acceptSteps }: PostGiving,
  caller: PostSender,
  post: PostWithGift,
  notePost: (tx: Queryable, given: GivenPost) => Promise<void>,
): Promise<GivenPost> {
  const { workspace, callerId: tokenId, actor } = caller;
  const { workspaceId, memberId } = workspace;
  const { gift } = post;
  checkForm(post);
  const requestId = makeRequestId();
  const accepting = { tokenId, actor, workspace, requestId };
  const draw = { currency: gift.currency, orderItems: [] };
  const repeated = { ...accepting, workspaceId, senderId: memberId, customerRequestId: null, order: draw };
  const give = () =>
    givePost(
      database,
      steps,
      caller,
      post,
      async (tx, given) => {
        await checkSource(tx, workspace, gift.currency);
        const order = await giftOrder(tx, workspace, post, given.receiverIds);
        const { isHeld } = await acceptWith(tx, acceptSteps, { ...accepting, order }).catch(inPlainWords);
        if (workspace.asksForApproval && !isHeld) throw needsRule();
        await notePostGifts(tx, workspaceId, { number: given.number, requestId, isShown: gift.isShown });
        await notePost(tx, given);
      },
      { waits: true },
    );
  return repeatAfterSteps(database, acceptSteps, [repeated], give).then((given) => {
    tellSteps(acceptSteps, { submitted: 1, accepted: 1 });
    return given;
  });
}

/** What is wrong with the gift of a post. It does not depend on the workspace. */
export function checkForm({ isPrivate, gift }: PostWithGift): void {
  if (isPrivate)
    throw invalid([{ path: 'gift', problem: 'cannot come with a private post: others read the messages of gifts' }]);
  const problem = decimalsProblem(gift.amount, gift.currency);
  if (problem !== null) throw invalid([{ path: 'gift.amount', problem }]);
}

/** Only budgets that are meant for one person are drawn on: their own, and shared ones with a cap for each person. */
export async function checkSource(on: Queryable, { workspaceId, memberId }: WorkspaceGrant, currency: string) {
  const { givesGifts } = await readEmployeeSettings(on, workspaceId);
  if (!givesGifts) throw new Failure('forbidden', 'In this workspace, shoutouts come without gifts.');
  if ((await readGivable(on, workspaceId, memberId, currency)).length === 0)
    throw new Failure('overBudget', `You have no budget in ${currency} for gifts: give the shoutout without one.`);
}

export function needsRule(): Failure {
  return new Failure(
    'conflict',
    'This workspace approves shoutouts, and no rule lets this gift wait for a decision: give the shoutout without it, or ask the people team for a rule.',
  );
}

interface Addressee {
  id: number;
  email: string | null;
  employeeNumber: string | null;
  language: string | null;
}

/** The order of the gifts. Each has the text of the post as its message. */
export async function giftOrder(
  on: Queryable,
  { workspaceId }: WorkspaceGrant,
  { message, reasonId, gift }: PostWithGift,
  receiverIds: readonly number[],
): Promise<OrderRequest> {
  const people = await on.query<Addressee>(addresseesSql, [workspaceId, receiverIds]);
  const unreached = people.filter(({ email, employeeNumber }) => email === null && employeeNumber === null).length;
  if (unreached > 0)
    throw invalid([
      {
        path: 'gift',
        problem: `cannot reach ${unreached} of these people, who have no email address and no employee number`,
      },
    ]);
  const orderItems = people.map(({ email, employeeNumber, language }) => ({
    message,
    amount: gift.amount,
    recipient: email === null ? { employeeNumber: employeeNumber as string } : { email },
    ...(reasonId && { reasonId }),
    ...(language !== null && { language }),
  }));
  return { currency: gift.currency, orderItems };
}

const addresseesSql = `
  select m.id, m.email, m.employee_number as "employeeNumber", m.own_language as language
    from unnest($2::bigint[]) with ordinality as asked (id, nth)
    join members m on m.workspace_id = $1 and m.id = asked.id
   order by asked.nth`;

/** Callers know nothing of the order. */
function inPlainWords(error: unknown): never {
  if (!(error instanceof Failure) || error.faults.length === 0) throw error;
  throw invalid(
    error.faults.map(({ path, problem }) => ({ path: path.replace(/^orderItems\[\d+\]/, 'gift'), problem })),
  );
}
