import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OutboxMailWithText } from '../../src/ground/contract/mail.ts';
import { readRedemptionsOfGift } from '../../src/spending/redemptions/read.ts';
import { eventually } from '../support/eventually.ts';
import { createGifts, tokenKey } from '../support/gift-page.ts';
import { startService } from '../support/service.ts';
import { offerAllOptions } from '../support/spending.ts';

const service = await startService({ mailServer: 'outbox', tokenKey });
const { database, workspaceId } = service;
const gifts = createGifts(service);
const { claimed, spend } = await offerAllOptions(service, gifts);

/** Asks for donations of parts of a gift, and returns the ids of the redemptions. */
async function ask(...amounts: number[]) {
  const certificate = await claimed(30);
  for (const amount of amounts) await spend(certificate.longToken, { option: 'charity', amount: `${amount}` });
  const asked = await readRedemptionsOfGift(database, workspaceId, await gifts.read(certificate));
  return { certificate, ids: asked.map(({ id }) => id).sort((a, b) => a - b) };
}

const decide = (id: number, decision: 'fulfil' | 'decline', note?: string) =>
  service.call(`/api/v1/redemptions/${id}/${decision}`, { method: 'POST', ...(note && { body: { note } }) });

const mailOf = (id: string) =>
  eventually(async () => {
    const { status, body } = await service.call<OutboxMailWithText>(`/api/v1/outbox/${id}`);
    return status === 200 && body;
  });

test('a recipient gets a mail about each decision, with its note, once', async () => {
  const { certificate, ids } = await ask(10, 20);
  const [first, second] = ids as [number, number];
  await decide(second, 'decline', 'The fund is closed.');
  await decide(first, 'fulfil', 'Donated on 3 December.');
  await decide(first, 'fulfil');
  const done = await mailOf(`${certificate.id}-decision-1`);
  assert.equal(done.kind, 'DECISION');
  assert.match(done.text, /request is done.*CA?\$10\.00.*Donated on 3 December/s);
  const declined = await mailOf(`${certificate.id}-decision-2`);
  assert.match(declined.text, /request was declined.*\$20\.00.*The fund is closed/s);
  assert.match(declined.html, /Choose again/);
  const kept = await database.query(`select from mails where workspace_id = $1 and kind = 'DECISION'`, [workspaceId]);
  assert.equal(kept.length, 2);
});
