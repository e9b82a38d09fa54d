import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';
import { PermissionError } from '@giftwire/sdk';

/** Calls every method of the feed and of the caller's shoutouts. The caller acts as a member other than this person. */
export async function useFeed(giftwire: Giftwire, email: string): Promise<void> {
  const [person] = await giftwire.members.suggest({ search: email });
  const memberId = person?.id ?? 0;
  const { feed, myShoutouts } = giftwire;
  const { id } = await feed.give({ to: [{ memberId }], message: 'Thank you for the launch!', isPrivate: false });
  assert.equal((await feed.list({ size: 1 })).posts.length, 1);
  assert.equal((await feed.update(id, { isPrivate: true })).isPrivate, true);
  assert.equal((await feed.retrieve(id)).isMine, true);
  assert.equal((await feed.receivers(id)).people[0]?.id, memberId);
  assert.equal((await feed.react(id, 'WARM')).reactions.WARM, 1);
  assert.equal((await feed.reactions(id, { kind: 'WARM' })).people.length, 1);
  assert.equal((await feed.unreact(id, 'WARM')).reactions.WARM, 0);
  const comment = await feed.comment(id, 'So well deserved.');
  assert.equal((await feed.updateComment(comment.id, 'Well deserved.')).text, 'Well deserved.');
  assert.equal((await feed.comments(id)).comments.length, 1);
  await assert.rejects(feed.report(id), /your own post/);
  await assert.rejects(feed.reportComment(comment.id), /your own comment/);
  await feed.deleteComment(comment.id);
  assert.ok((await feed.colleagues({ search: 'ada' })).people.length > 0);
  assert.equal((await feed.reasons())[0]?.isDefault, true);
  assert.deepEqual((await feed.giving()).giving, []);
  const gift = { amount: 10, currency: 'CAD', isShown: false };
  const tried = { to: [{ memberId }], message: 'Thank you!', isPrivate: false, gift };
  assert.match((await feed.check(tried)).problem ?? '', /without gifts/);
  const screen = await feed.createScreen({ name: 'Canteen' });
  assert.match(screen.link, /\/tv#/);
  assert.equal((await feed.screens()).at(-1)?.id, screen.id);
  await feed.deleteScreen(screen.id);
  assert.deepEqual((await feed.cases()).cases, []);
  await assert.rejects(feed.hide(1), /no case with this id/);
  await assert.rejects(feed.keep(1), /no case with this id/);
  assert.equal((await myShoutouts.list({ direction: 'given' })).posts[0]?.id, id);
  await assert.rejects(myShoutouts.thank(id, 'Thank you'), PermissionError);
  assert.deepEqual((await myShoutouts.thanks(id)).thanks, []);
  await feed.delete(id);
}
