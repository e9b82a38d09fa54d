import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Automation, NewAutomation } from '../../src/ground/contract/automation.ts';
import { eventually } from '../support/eventually.ts';
import { mailSettings } from '../support/mail-queue.ts';
import { parseMail, startMailServer } from '../support/mail-server.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

const mailServer = await startMailServer();
const service = await startService(mailSettings(mailServer.url));

/** What the email about a gift begins with. */
async function greeting(address: string): Promise<string> {
  const mail = await eventually(async () => mailServer.to(address)[0]);
  const { html = '' } = await parseMail(mail);
  return /<h1[^>]*>([^<]*)</.exec(html)?.[1] ?? html;
}

test('gifts of automations greet as the day does, and other gifts say thank you', async () => {
  const [year, today] = [new Date().getUTCFullYear(), new Date().toISOString().slice(5, 10)];
  const names = ['ada', 'ben', 'cleo', 'dana', 'eve'];
  const workspace = await openWorkspace(service, {
    language: 'EN_CA',
    people: names.map((name) => ({
      ...{ firstName: name, email: `${name}@greetings.example`, birthday: today },
      hireDate: `${name === 'cleo' ? year : year - 5}-${today}`,
    })),
  });
  const triggers: NewAutomation['trigger'][] = [
    { is: 'BIRTHDAY' },
    { is: 'ANNIVERSARY' },
    { is: 'AFTER_HIRE', days: 0 },
    { is: 'YEARLY', monthDay: today },
  ];
  for (const [nth, trigger] of triggers.entries()) {
    const terms: NewAutomation = {
      ...{ name: trigger.is, trigger, action: { is: 'GIFT', currency: 'CAD', amount: 25 } },
      ...{ messages: { EN: 'For you.' }, onDayOff: 'SAME_DAY', hour: 0 },
    };
    const change = async <Body>(path: string, method: string, body: object) => {
      const answer = await workspace.call<Body>(`/api/v1/automations${path}`, { method, body });
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body;
    };
    const { id } = await change<Automation>('', 'POST', terms);
    await change(`/${id}`, 'PATCH', { state: 'ON' });
    await change(`/${id}/run`, 'POST', { memberId: workspace.memberIds[nth], forDay: `${year}-${today}` });
  }
  await workspace.gift({ email: 'eve@greetings.example' });
  const said = await Promise.all(names.map((name) => greeting(`${name}@greetings.example`)));
  assert.deepEqual(said, [
    'Happy birthday, ada',
    'Congratulations, ben',
    'Welcome, cleo',
    'For you, dana',
    'Thank you, eve',
  ]);
});
