import { anAutomation } from './automations.ts';
import { eventually } from './eventually.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of every form are read here.
type Json = any;
type Step = (operationId: string, expected: number, sent?: object) => Promise<Json>;

/** Calls every operation of automations and of the clock, with success and with an error. */
export async function walkAutomations(step: Step, scopeless: string): Promise<void> {
  const forDay = '2027-03-13';
  const terms = anAutomation({ trigger: { is: 'ONCE', day: forDay }, action: { is: 'SHOUTOUT' } });
  const unknown = { id: 999_999_999 };
  const path = await step('addAutomation', 201, { body: terms });
  await step('addAutomation', 400, { body: { ...terms, trigger: { is: 'ONCE' } } });
  await step('listAutomations', 200);
  await step('getAutomation', 200, { path });
  await step('getAutomation', 404, { path: unknown });
  await step('planAutomation', 200, { body: { terms, automationId: path.id } });
  await step('planAutomation', 404, { body: { terms, automationId: unknown.id } });
  await step('changeAutomation', 409, { path, body: { state: 'PAUSED' } });
  await step('changeAutomation', 200, { path, body: { state: 'ON' } });
  for (const operationId of ['getAutomationOutlook', 'pauseAutomations', 'resumeAutomations', 'getClock'])
    await step(operationId, 200);
  for (const operationId of [
    'listAutomations',
    'getAutomationOutlook',
    'pauseAutomations',
    'resumeAutomations',
    'getClock',
  ])
    await step(operationId, 403, { token: scopeless });
  const { id: memberId } = await step('addMember', 201, { body: { email: 'walk@example.com', firstName: 'Walk' } });
  const body = { memberId, forDay };
  for (const operationId of ['runAutomation', 'skipOccurrence', 'unskipOccurrence'])
    await step(operationId, 404, { path: unknown, body });
  await step('skipOccurrence', 200, { path, body });
  await step('unskipOccurrence', 204, { path, body });
  const ran = await step('runAutomation', 200, { path, body });
  const query = `?automation=${path.id}`;
  await eventually(
    () => step('listOccurrences', 200, { query }),
    ({ content }) => content[0]?.state === 'SENT',
  );
  await step('listOccurrences', 400, { query: '?states=SENT' });
  await step('getOccurrence', 200, { path: ran });
  await step('getOccurrence', 404, { path: unknown });
  await step('changeOccurrence', 409, { path: ran, body: { line: 'Hello' } });
  await step('changeOccurrence', 200, { path: ran, body: {} });
  await step('sendOccurrence', 409, { path: ran });
  await walkUnpaid(step, body);
  await step('deleteAutomation', 204, { path });
  await step('deleteAutomation', 404, { path });
  await step('advanceClock', 403, { body: { days: 1 }, token: scopeless });
  await step('advanceClock', 200, { body: { days: 1 } });
}

/** A gift that the budget cannot pay is sent by hand. */
async function walkUnpaid(step: Step, body: { memberId: number; forDay: string }): Promise<void> {
  await step('addBudget', 201, { body: { currency: 'EUR', amount: 1 } });
  const trigger = { is: 'ONCE', day: body.forDay } as const;
  const gift = { is: 'GIFT', currency: 'EUR', amount: 25 } as const;
  const path = await step('addAutomation', 201, { body: anAutomation({ name: 'Unpaid', trigger, action: gift }) });
  await step('changeAutomation', 200, { path, body: { state: 'ON' } });
  const ran = await step('runAutomation', 200, { path, body });
  await eventually(
    () => step('listOccurrences', 200, { query: `?automation=${path.id}` }),
    ({ content }) => content[0]?.reason === 'NO_MONEY' && ['NOT_DONE', 'MESSAGE_ONLY'].includes(content[0].state),
  );
  await step('sendOccurrence', 200, { path: ran });
  await step('deleteAutomation', 204, { path });
}
