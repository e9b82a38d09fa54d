import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readWeeks } from '../../src/giving/delivery/digests/content.ts';
import type { FeedPost } from '../../src/ground/contract/feed.ts';
import { addDays, weekdayOf } from '../../src/ground/values/calendar.ts';
import { openDigests } from '../support/digests.ts';
import fc from '../support/fast-check.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { startMailServer } from '../support/mail-server.ts';
import { runs } from '../support/runs.ts';
import { startService } from '../support/service.ts';

const mailServer = await startMailServer();
const service = await startService({ ...mailSettings(mailServer.url), role: 'api' });
const names = ['ada', 'ben', 'cleo', 'dan', 'approver'];

const someone = fc.nat({ max: names.length - 1 });
const aStep = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      is: fc.constant('give' as const),
      by: someone,
      to: fc.uniqueArray(someone, { minLength: 1, maxLength: 3 }),
      isPrivate: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('delete' as const), nth: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('keep out' as const), who: someone, isOut: fc.boolean() }) },
);

test('a digest has what its reader finds in the feed as an employee, with the same names, and all of their own', async () => {
  const { workspace, people, clock } = await openDigests(service, mailServer, names);
  const other = await openDigests(service, mailServer, ['eve', 'fay']);
  await other.named('eve').give([other.named('fay').id], { message: 'Of another company.' });
  const today = await clock.today();
  const period = addDays(today, 8 - weekdayOf(today));
  const asked = people.map(({ id }) => ({ memberId: id, period, timeZone: 'UTC' }));
  const given: { by: (typeof people)[number]; id: number }[] = [];
  const person = (nth: number) => people[nth] as (typeof people)[number];
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { minLength: 3, maxLength: 8 }), async (steps) => {
      for (const step of steps) {
        if (step.is === 'give') {
          const to = step.to.filter((nth) => nth !== step.by).map((nth) => person(nth).id);
          const by = person(step.by);
          if (to.length > 0) given.push({ by, id: (await by.give(to, { isPrivate: step.isPrivate })).id });
        } else if (step.is === 'delete') {
          const [one] = given.splice(step.nth % Math.max(1, given.length), 1);
          if (one) await one.by.ask(204, `/feed/posts/${one.id}`, 'DELETE');
        } else {
          const method = step.isOut ? 'PUT' : 'DELETE';
          const body = step.isOut ? { body: { reason: 'Asked for it.' } } : {};
          await workspace.call(`/api/v1/members/${person(step.who).id}/restriction`, { method, ...body });
        }
      }
      const weeks = await readWeeks(service.database, workspace.id, asked);
      for (const { id, name, feed, mine } of people) {
        const [all, received, sent] = [await feed('?size=50'), await mine('received'), await mine('given')];
        const week = weeks.get(id);
        assert.deepEqual([week?.received.total ?? 0, week?.given.total ?? 0], [received.total, sent.total], name);
        const known = new Map([...all.posts, ...received.posts, ...sent.posts].map((post) => [post.id, post]));
        const namesIn = ({ sender, receivers }: FeedPost) => [sender.id, ...receivers.map((one) => one.id)];
        for (const post of [...(week?.received.posts ?? []), ...(week?.given.posts ?? []), ...(week?.newest ?? [])]) {
          const shown = known.get(post.id);
          assert.ok(shown, `${name} finds post ${post.id} in the feed`);
          for (const one of namesIn(post)) assert.ok(namesIn(shown).includes(one), `${name} may read ${one}`);
          assert.ok(!post.isPrivate || shown.isMine || shown.isForMe, `post ${post.id} is private`);
        }
        assert.deepEqual(week?.newest.filter(({ isPrivate }) => isPrivate) ?? [], []);
      }
    }),
    { numRuns: runs(30) },
  );
});
