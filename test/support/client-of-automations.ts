import assert from 'node:assert/strict';
import type { Giftwire } from '@giftwire/sdk';
import { anAutomation } from './automations.ts';
import { collect } from './client.ts';
import { eventually } from './eventually.ts';

/** Calls every method of automations and of the clock. */
export async function useAutomations({ automations, members, clock }: Giftwire): Promise<void> {
  const day = '2027-03-13';
  const added = await automations.create(anAutomation({ trigger: { is: 'ONCE', day }, action: { is: 'SHOUTOUT' } }));
  const { id } = added;
  assert.deepEqual(await automations.retrieve(id), added);
  assert.equal((await automations.list()).automations[0]?.id, id);
  assert.equal((await automations.plan({ terms: anAutomation() })).months.length, 13);
  assert.equal((await automations.update(id, { state: 'ON' })).state, 'ON');
  assert.equal((await automations.outlook())[0]?.automationId, id);
  assert.equal((await automations.pause()).isPaused, true);
  assert.equal((await automations.resume()).isPaused, false);
  const person = await members.create({ email: 'day@example.com', firstName: 'Day' });
  const choice = { memberId: person.id, forDay: day };
  assert.equal((await automations.skip(id, choice)).state, 'SKIPPED');
  await automations.unskip(id, choice);
  const ran = await automations.run(id, choice);
  const rows = await eventually(
    () => automations.occurrences({ automation: id }),
    ({ content }) => content[0]?.state === 'SENT',
  );
  assert.deepEqual(await collect(automations.allOccurrences()), rows.content);
  assert.equal((await automations.occurrence(ran.id)).forDay, day);
  assert.match(await new Response(await automations.occurrencesCsv()).text(), /^id,automationId/);
  await assert.rejects(automations.addLine(ran.id, 'Hello'), { status: 409 });
  await assert.rejects(automations.send(ran.id), { status: 409 });
  await automations.delete(id);
  const { aheadDays } = await clock.retrieve();
  assert.equal((await clock.advance({ days: 1 })).aheadDays, aheadDays + 1);
}
