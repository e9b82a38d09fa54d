import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailText, peopleIn } from '../../console/src/screens/audit/detail.ts';
import { audit } from '../../console/src/words/en/audit.ts';

const text = (detail: Record<string, unknown>) =>
  detailText(detail, { ...audit, moment: (time) => time.slice(11, 16), values: { OWNER: 'Owner', ...audit.values } });

test('details of an audit entry are named, also inside of others', () => {
  assert.equal(
    text({ currency: 'CAD', memberId: 45, allowance: { amount: 600, every: 'MONTH' }, giftLimit: 150 }),
    'CAD · person 45 · amount 600 · each month · limit per gift 150',
  );
  assert.equal(text({ role: 'OWNER' }), 'Owner');
  assert.equal(text({ mailsGifts: false, note: null, brandColour: '#8C2459' }), 'mailsGifts no · brandColour #8C2459');
});

test('long lists are cut, and what is in them is never shown as an object', () => {
  assert.equal(text({ scopes: ['a', 'b', 'c', 'd', 'e'] }), 'a, b, c +2');
  assert.equal(text({ totals: [{ currency: 'CAD', amount: 35 }] }), 'CAD · amount 35');
});

test('counted reads say how many, and from when to when', () => {
  const detail = { reads: 12, gifts: 40, since: '2026-11-02T14:03:27.512Z', until: '2026-11-02T14:04:26.001Z' };
  assert.equal(text(detail), 'reads 12 · gifts 40 · from 14:03 · to 14:04');
});

test('details name people where they are known, and leave hashes to the page of the proof', () => {
  const words = { ...audit, moment: String, values: {}, nameOf: (id: number) => (id === 45 ? 'Ada Okafor' : null) };
  assert.equal(detailText({ memberId: 45, lines: 3, sha256: 'f'.repeat(64) }, words), 'Ada Okafor · lines 3');
  assert.equal(detailText({ memberId: 46 }, words), 'person 46');
  assert.deepEqual(peopleIn({ memberId: 45, budget: { managerId: 7 }, amount: 3 }), [45, 7]);
});
