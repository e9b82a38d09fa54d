// biome-ignore lint/suspicious/noExplicitAny: each operation answers with a form of its own.
type Json = any;

/** Tries the examples of shoutouts, the feed and the caller's shoutouts in the demo company. */
export async function tryRecognition(
  attempt: (operationId: string, typed?: Record<string, unknown>, chosen?: object) => Promise<Json>,
  attemptInVain: (operationIds: readonly string[], reason: RegExp, typed?: object) => Promise<void>,
): Promise<void> {
  await attempt('getShoutout', await attempt('giveShoutout'));
  const { shoutouts } = await attempt('listShoutouts');
  const [one, other] = shoutouts.filter(({ sender, receiver }: Json) => !sender.self && !receiver.self);
  await attempt('approveShoutout', one);
  await attempt('declineShoutout', other);

  const post = await attempt('givePost');
  for (const operationId of ['getPost', 'listPostReceivers', 'listComments', 'listShoutoutThanks'])
    await attempt(operationId, post);
  const reaction = { id: post.id, kind: 'WARM' };
  await attempt('addReaction', reaction);
  await attempt('listReactions', reaction, { kind: 'WARM' });
  await attempt('removeReaction', reaction);
  const comment = await attempt('addComment', post);
  await attempt('changeComment', comment);
  await attemptInVain(['reportComment'], /409 .*your own/, comment);
  const screen = await attempt('createFeedScreen');
  await attempt('listFeedScreens');
  await attempt('deleteFeedScreen', { id: screen.id });
  await attemptInVain(['checkPostGift'], /400 .*gift is required/);
  await attemptInVain(['reportPost'], /409 .*your own/, post);
  await attemptInVain(['changePost'], /409 .*waits for approval/, post);
  await attempt('deleteComment', comment);
  await attemptInVain(['thankForShoutout'], /403/, post);
  await attemptInVain(['hideFeedCase', 'keepFeedCase'], /404/, { id: 1 });
  for (const operationId of [
    'listFeed',
    'listFeedReasons',
    'listColleagues',
    'listFeedCases',
    'listMyShoutouts',
    'getMyGiving',
  ])
    await attempt(operationId);
  await attempt('deletePost', post);
}
