import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Matter } from '../../src/giving/delivery/approvals/matter.ts';
import { addressApprovalMail } from '../../src/giving/delivery/approvals/message.ts';
import { languages } from '../../src/ground/values/language.ts';
import { parseKeys } from '../support/keys.ts';
import { sampleSettings } from '../support/mails.ts';

const letterhead = {
  keys: parseKeys('a key that is long enough for a test'),
  from: 'gifts@northwind.example',
  bounces: null,
  publicUrl: 'https://gifts.northwind.example',
};
const company = { settings: sampleSettings, logo: null };

const waiting: Matter = {
  requestIds: ['0198c1de-7a54-7c3e-9f2b-4f1f6b1f8f10'],
  sender: 'Priya <b>Nair</b>\r\nBcc: all@northwind.example',
  gifts: 1_200,
  total: 45_000,
  currency: 'CAD',
  only: null,
  note: 'As agreed. <script>alert(1)</script>',
  rule: 'Large orders',
  decideBy: new Date('2026-11-22T22:00:00Z'),
  level: 2,
  levels: 2,
  approvedBy: 'Lucie Gagnon',
  ownersAsked: true,
  decision: null,
};

function write(kind: 'ASKED' | 'DECIDED', language: string, matter: Matter) {
  const mail = {
    workspaceId: 1,
    mailId: '154724ca-b299-4462-a01e-d02be82dd7d5',
    kind,
    memberId: 2,
    userId: 3,
    address: 'elena@northwind.example',
    name: 'Elena Brandt',
    language,
    isAddressCurrent: true,
    orders: [],
  };
  const { subject, text, html } = addressApprovalMail(letterhead, company, mail, matter);
  return { subject: String(subject), text: String(text), html: String(html) };
}

const decisions = ['APPROVED', 'DECLINED', 'EXPIRED'] as const;

test('every email about an approval is written in every language, and names cannot add headers or markup', () => {
  const subjects = languages.flatMap((language) => [
    write('ASKED', language, waiting),
    ...decisions.map((is) => {
      const by = is === 'EXPIRED' ? null : { id: 2, name: 'Lucie Gagnon' };
      const decision = { is, by, comment: by && 'Yes <i>indeed</i>.', at: new Date(), isFirstOfTwo: false };
      return write('DECIDED', language, { ...waiting, decision });
    }),
  ]);
  for (const { subject, text, html } of subjects) {
    assert.doesNotMatch(subject, /[\r\n]/);
    assert.match(text, /1[\s,.\u00a0\u202f]?200/);
    assert.doesNotMatch(text, /\{\w+\}/);
    assert.ok(!html.includes('<script>alert') && !html.includes('<b>Nair') && !html.includes('<i>indeed'));
  }
  assert.equal(new Set(subjects.map(({ subject }) => subject)).size, languages.length * (1 + decisions.length));
});

test('a text of emails and pages has one home in its language', () => {
  for (const language of languages) {
    const files = globSync(`src/giving/gifts/words/${language}/*.ts`);
    const keys = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^ {2}(\w+):/gm)].map(([, key]) => key),
    );
    assert.ok(keys.length > 100, language);
    assert.deepEqual(
      keys.filter((key, nth) => keys.indexOf(key) !== nth),
      [],
      language,
    );
  }
});
