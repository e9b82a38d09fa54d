import { asPerson, type openWalk } from './prism.ts';
import type { TestService } from './service.ts';
import { signIn } from './sign-in.ts';

type Walk = Awaited<ReturnType<typeof openWalk>>;

interface Company {
  workspaceId: number;
  memberIds: readonly number[];
  /** A token without scopes. */
  scopeless: string;
}

const unknownId = { id: 999_999_999 };

/** Walks over posts, reactions, comments, thank-you notes and moderation. The first member gives, the second receives. */
export async function walkFeed(service: TestService, { step }: Walk, company: Company): Promise<void> {
  const { workspaceId: workspace, memberIds, scopeless } = company;
  const person = async (email: string, role: 'PEOPLE_TEAM' | 'MANAGER') =>
    asPerson(service, await signIn(service, { workspace, email, role }));
  const ada = await person('ada@example.com', 'PEOPLE_TEAM');
  const grace = await person('grace@example.com', 'MANAGER');
  const post = { to: [{ memberId: memberIds[1] }], message: 'Thank you for the launch!' };
  const path = await step('givePost', 201, { ...ada, body: post });
  await step('givePost', 400, { ...ada, body: { ...post, to: [{ memberId: unknownId.id }] } });
  await step('changePost', 200, { ...ada, path, body: { message: 'Thank you!' } });
  await step('changePost', 403, { ...grace, path, body: { message: 'Thanks!' } });
  await step('getMyGiving', 200, ada);
  await step('getMyGiving', 403, { token: scopeless });
  const gift = { amount: 10, currency: 'CAD', isShown: false };
  await step('checkPostGift', 200, { ...ada, body: { ...post, gift } });
  await step('checkPostGift', 400, { ...ada, body: post });
  await step('givePost', 403, { ...ada, body: { ...post, gift } });
  await step('listColleagues', 200, { ...ada, query: '?search=gra' });
  await step('listColleagues', 403, { token: scopeless });
  await step('listFeedReasons', 200, ada);
  await step('listFeedReasons', 403, { token: scopeless });
  await step('listFeed', 200, { ...grace, query: '?filter=MY_TEAM&size=5' });
  await step('listFeed', 400, { ...grace, query: '?sizes=5' });
  await step('getPost', 200, { ...grace, path });
  await step('listPostReceivers', 200, { ...grace, path });
  const reaction = { path: { id: path.id, kind: 'WARM' } };
  await step('addReaction', 200, { ...grace, ...reaction });
  await step('listReactions', 200, { ...grace, path, query: '?kind=WARM' });
  await step('removeReaction', 200, { ...grace, ...reaction });
  const comment = await step('addComment', 201, { ...grace, path, body: { text: 'Well deserved.' } });
  await step('changeComment', 200, { ...grace, path: comment, body: { text: 'So well deserved.' } });
  await step('listComments', 200, { ...ada, path });
  await step('reportComment', 204, { ...ada, path: comment, body: { why: 'It is about my health.' } });
  await step('reportPost', 204, { ...grace, path, body: {} });
  const { cases } = await step('listFeedCases', 200, { ...ada, query: '?state=OPEN' });
  const [ofPost, ofComment] = cases.toSorted((a: { comment: object | null }) => (a.comment ? 1 : -1));
  await step('hideFeedCase', 200, { ...ada, path: ofComment, body: { note: 'Health is private.' } });
  await step('keepFeedCase', 200, { ...ada, path: ofPost, body: {} });
  await step('listFeedCases', 403, grace);
  const screen = await step('createFeedScreen', 201, { ...ada, body: { name: 'Canteen' } });
  await step('createFeedScreen', 403, { ...grace, body: { name: 'Canteen' } });
  await step('listFeedScreens', 200, ada);
  await step('listFeedScreens', 403, grace);
  await step('deleteFeedScreen', 204, { ...ada, path: { id: screen.id } });
  await step('deleteFeedScreen', 404, { ...ada, path: unknownId });
  for (const operationId of ['hideFeedCase', 'keepFeedCase'])
    await step(operationId, 404, { ...ada, path: unknownId, body: {} });
  await step('listMyShoutouts', 200, { ...grace, query: '?direction=received' });
  await step('listMyShoutouts', 400, { ...grace, query: '?sizes=1' });
  await step('thankForShoutout', 201, { ...grace, path, body: { text: 'What a surprise!' } });
  await step('thankForShoutout', 403, { ...ada, path, body: { text: 'Thank you, me.' } });
  await step('listShoutoutThanks', 200, { ...ada, path });
  const own = await step('addComment', 201, { ...grace, path, body: { text: 'Hooray!' } });
  await step('deleteComment', 204, { ...grace, path: own });
  for (const operationId of ['getPost', 'listPostReceivers', 'listComments', 'listShoutoutThanks', 'deletePost'])
    await step(operationId, 404, { ...grace, path: unknownId });
  for (const operationId of ['addReaction', 'removeReaction'])
    await step(operationId, 404, { ...grace, path: { ...unknownId, kind: 'WARM' } });
  await step('listReactions', 404, { ...grace, path: unknownId, query: '?kind=WARM' });
  for (const operationId of ['addComment', 'changeComment'])
    await step(operationId, 404, { ...grace, path: unknownId, body: { text: 'Hm.' } });
  await step('deleteComment', 404, { ...grace, path: unknownId });
  for (const operationId of ['reportPost', 'reportComment'])
    await step(operationId, 404, { ...grace, path: unknownId, body: {} });
  await step('deletePost', 204, { ...ada, path });
}
