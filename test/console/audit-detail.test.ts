import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailText, peopleIn } from '../../console/src/screens/audit/detail.ts';
import { detailWords } from '../../console/src/screens/audit/detail-words.ts';
import { subjectOf } from '../../console/src/screens/audit/subject.ts';
import { en } from '../../console/src/words/en/index.ts';
import { es } from '../../console/src/words/es/index.ts';
import { createFormats } from '../../console/src/words/formats.ts';
import { fr } from '../../console/src/words/fr/index.ts';
import type { AuditEntry } from '../../sdk/src/index.ts';
import { type AuditAction, auditActions } from '../../src/ground/values/audit-actions.ts';
import { memberFields } from '../../src/ground/values/member.ts';

const ada = 987_654;
const words = {
  ...detailWords(en, createFormats('en')),
  moment: (time: string) => time.slice(11, 16),
  nameOf: (id: number) => (id === ada ? 'Ada Okafor' : null),
};

const text = (action: AuditAction, detail: Record<string, unknown>, subjectName: string | null = null) =>
  detailText({ action, detail, subjectName }, words);

test('details of an audit entry are named, also inside of others, and amounts have their currency', () => {
  assert.equal(
    text('budget.set', { currency: 'CAD', memberId: ada, allowance: { amount: 600, every: 'MONTH' }, giftLimit: 150 }),
    'Ada Okafor · amount: CA$600.00 · each month · limit per gift: CA$150.00',
  );
  assert.equal(text('budget.granted', { amount: 25, note: 'For May' }, 'EUR'), 'amount: €25.00 · note: For May');
  assert.equal(text('user.changed', { role: 'OWNER', before: 'AUDITOR' }), 'Owner · before: Auditor');
});

test('a change of settings is named as on the screen of the settings, with what was taken away', () => {
  assert.equal(
    text('settings.changed', { giftDays: null, reminderDays: [3, 10], language: 'FR_CA', acceptsLeavers: true }),
    [
      `${en.settings.policies.giftDays}: –`,
      `${en.settings.policies.reminders}: 3, 10`,
      'French (Canada)',
      `${en.settings.policies.acceptsLeavers}: yes`,
    ].join(' · '),
  );
});

test('long lists are cut, and what is in them is never shown as an object', () => {
  const scopes = ['orders:write', 'reports:read', 'gifts:read', 'directory:read', 'events:read'];
  assert.equal(text('token.created', { scopes }), 'scopes: Send gifts, Read reports, Read gifts and their status +2');
  assert.equal(text('payroll.exported', { totals: [{ currency: 'CAD', amount: 35 }] }), 'amount: CA$35.00');
});

test('counted reads say how many, and from when to when', () => {
  const detail = { reads: 12, gifts: 40, since: '2026-11-02T14:03:27.512Z', until: '2026-11-02T14:04:26.001Z' };
  assert.equal(text('order.codes_read', detail), 'reads: 12 · gifts: 40 · from: 14:03 · to: 14:04');
});

test('details name people, and leave out ids of unknown people and hashes', () => {
  assert.equal(text('budget.changed', { memberId: ada, lines: 3, sha256: 'f'.repeat(64) }), 'Ada Okafor · lines: 3');
  assert.equal(text('budget.changed', { memberId: 46 }), '');
  assert.equal(text('member.merged', { from: 46, fromName: 'INTERN-7' }), 'merged record: INTERN-7');
  assert.deepEqual(peopleIn({ action: 'budget.set', detail: { memberId: 45, budget: { managerId: 7 } } }), [45, 7]);
  assert.deepEqual(peopleIn({ action: 'member.split', detail: { added: 45 } }), [45]);
  assert.deepEqual(peopleIn({ action: 'webhook.replayed', detail: { from: 45 } }), []);
});

const order = '019a8453-5d3e-7c1e-9b0a-2f1d6b3c4e5f';
const reads = { reads: 2, gifts: 3, since: '2026-11-02T14:03:27.512Z', until: '2026-11-02T14:04:26.001Z' };

/** The subject and the details of an entry of each action, as the service writes them, without the names that it cannot know. */
const samples: Record<AuditAction, [subject: string | null, name: string | null, detail?: Record<string, unknown>]> = {
  'audit.entries_removed': [null, null, { upTo: 4_100, hash: 'a1b2c3d4'.repeat(8), before: reads.since }],
  'audit.names_removed': [null, null, { entries: 2, hashes: `7:${'a1b2c3d4'.repeat(8)} 12:${'a1b2c3d4'.repeat(8)}` }],
  'user.accounts_joined': ['5', 'Ada Okafor'],
  'user.added': ['5', 'Ada Okafor', { role: 'PEOPLE_TEAM' }],
  'user.changed': ['5', 'Ada Okafor', { role: 'PEOPLE_TEAM', before: 'OWNER', member: ada }],
  'user.connected': ['5', 'Ada Okafor', { issuer: 'https://login.example.com' }],
  'user.link_made': ['5', 'Ada Okafor'],
  'user.linked': ['5', 'Ada Okafor', { member: ada }],
  'user.password_changed': ['5', 'Ada Okafor'],
  'user.removed': ['5', 'Ada Okafor'],
  'user.role_undone': ['7', 'Ada Okafor'],
  'user.session_ended': ['5', 'Ada Okafor'],
  'user.sessions_ended': ['5', 'Ada Okafor'],
  'user.signed_in': ['5', 'Ada Okafor', { way: 'OIDC' }],
  'user.signed_out': ['5', 'Ada Okafor'],
  'token.created': ['3', 'Payroll', { scopes: ['orders:write'] }],
  'token.revoked': ['3', null, { scopes: ['orders:write'] }],
  'token.rotated': ['3', 'Payroll', { scopes: ['orders:write'] }],
  'workspace.clock_moved': [null, null, { days: 30 }],
  'workspace.created': ['1', 'Northwind'],
  'settings.changed': [null, null, { mailsGifts: false, codeAbove: null, taxLimits: [{ currency: 'CAD', amount: 5 }] }],
  'settings.employees_changed': [
    null,
    null,
    { access: 'AUDIENCE', audience: { include: [{ department: 'Support' }], exclude: [] }, leaverDays: 90 },
  ],
  'settings.logo_changed': [null, null],
  'settings.logo_removed': [null, null],
  'history.started': [order, null, { reason: 'the database went back in time', numbersAbove: 987_654 }],
  'member.added': [String(ada), 'Ada Okafor'],
  'member.changed': [String(ada), 'Ada Okafor', { fields: Object.keys(memberFields) }],
  'member.deputy_named': [String(ada), 'Ada Okafor', { from: '2026-12-20', to: '2027-01-06' }],
  'member.deputy_removed': [String(ada), 'Ada Okafor'],
  'member.data_read': [String(ada), 'Ada Okafor'],
  'member.erased': [order, null],
  'member.erasure_confirmed': [String(ada), 'Ada Okafor'],
  'member.erasure_requested': [String(ada), 'Ada Okafor'],
  'member.erasure_stopped': [String(ada), 'Ada Okafor'],
  'member.hold_placed': [String(ada), 'Ada Okafor', { reason: 'Case 2027-14' }],
  'member.hold_released': [String(ada), 'Ada Okafor'],
  'feed.screen_created': ['3', 'Canteen'],
  'feed.screen_revoked': ['3', 'Canteen'],
  'member.kept_out': [String(ada), 'Ada Okafor', { reason: 'Asked for it' }],
  'member.let_in': [String(ada), 'Ada Okafor'],
  'member.kiosk_code_created': [String(ada), 'Ada Okafor'],
  'member.kiosk_code_revoked': [String(ada), 'Ada Okafor'],
  'member.left': [String(ada), 'Ada Okafor'],
  'member.preferences_changed': [String(ada), 'Ada Okafor', { digest: true }],
  'member.merge_undone': ['17', 'Ada Okafor'],
  'member.merged': [String(ada), 'Ada Okafor', { from: 987_655, fromName: 'INTERN-7' }],
  'member.returned': [String(ada), 'Ada Okafor'],
  'member.signed_in': [String(ada), 'Ada Okafor', { way: 'KIOSK' }],
  'member.signed_out': [String(ada), 'Ada Okafor'],
  'member.split': [String(ada), 'Ada Okafor', { added: 987_655 }],
  'members.import_undone': [null, null, { added: 12, changed: 4, left: 1, returned: 0 }],
  'members.imported': [null, null],
  'custom_field.added': ['shirtSize', 'Shirt size', { kind: 'CHOICE', choices: ['S', 'M'] }],
  'custom_field.changed': ['shirtSize', 'Shirt size', { kind: 'CHOICE', choices: ['S', 'M'] }],
  'custom_field.removed': ['shirtSize', 'Shirt size', { kind: 'DATE', choices: [] }],
  'team.added': [order, 'Platform'],
  'team.changed': [order, 'Platform'],
  'team.deleted': [order, 'Platform'],
  'reason.added': ['4', 'Teamwork'],
  'reason.changed': ['4', 'Teamwork'],
  'reason.retired': ['4', 'Teamwork'],
  'reason.retirement_undone': ['2', 'Mentoring'],
  'rule.added': [
    '1',
    'Large gifts',
    {
      name: 'Large gifts',
      from: { department: 'Sales' },
      measure: 'GIFT',
      currency: 'CAD',
      above: 250,
      outcome: 'ASK',
      levels: [
        {
          approvers: [
            { is: 'ROLE', role: 'PEOPLE_TEAM' },
            { is: 'MEMBER', memberId: 987_655 },
          ],
        },
      ],
      days: 7,
    },
  ],
  'rule.changed': ['1', 'Large gifts', { isOn: false }],
  'rule.deleted': ['1', 'Large gifts'],
  'automation.added': [
    '4',
    'Birthdays',
    {
      name: 'Birthdays',
      trigger: { is: 'BIRTHDAY' },
      action: { is: 'GIFT', currency: 'CAD', amount: 25 },
      messages: { EN: 'Happy birthday, {firstName}!' },
    },
  ],
  'automation.changed': ['4', 'Birthdays', { hour: 9, onDayOff: 'SAME_DAY', budgetId: null, from: { is: 'MANAGER' } }],
  'automation.deleted': ['4', 'Birthdays'],
  'automation.turned_on': ['4', 'Birthdays'],
  'automation.paused': ['4', 'Birthdays', { note: 'until the new leads have met' }],
  'automation.resumed': ['4', 'Birthdays'],
  'automation.all_paused': [null, null],
  'automation.all_resumed': [null, null],
  'automation.run': ['4', 'Birthdays', { memberId: ada, occurrenceId: 31 }],
  'automation.skipped': ['4', 'Birthdays', { memberId: ada, occurrenceId: 31 }],
  'automation.unskipped': ['4', 'Birthdays', { memberId: ada, occurrenceId: 31 }],
  'automation.line_set': ['4', 'Birthdays', { memberId: ada, occurrenceId: 31 }],
  'automation.sent_by_hand': ['4', 'Birthdays', { memberId: ada, occurrenceId: 31 }],
  'order.approved': [
    order,
    null,
    { rule: 'Large gifts', ruleId: 987_655, level: 1, levels: 2, comment: 'Well deserved.', way: 'EMAIL' },
  ],
  'order.codes_read': [order, null, reads],
  'order.created': [order, null, { gifts: 12, currency: 'CAD', note: 'Retention' }],
  'order.declined': [
    order,
    null,
    { rule: 'Large gifts', ruleId: 987_655, level: 1, levels: 1, comment: 'Not this year.', approver: 'Lucie Gagnon' },
  ],
  'order.expired': [order, null, { rule: 'Large gifts', ruleId: 987_655, level: 1, levels: 1 }],
  'order.held': [order, null, { rule: 'Large gifts', ruleId: 987_655 }],
  'order.retried': [order, null],
  'gift.cancelled': ['90210', 'Ada Okafor'],
  'gift.corrected': ['90210', 'Ada Okafor'],
  'gift.extended': ['90210', 'Ada Okafor'],
  'gift.printed': [order, null, reads],
  'gift.resent': ['90210', 'Ada Okafor'],
  'bulk_action.completed': ['7', null, { bulkAction: 'CANCEL', changed: 3, unchanged: 0, rejected: 1 }],
  'bulk_action.created': [
    '7',
    null,
    {
      bulkAction: 'EXTEND',
      gifts: { requestId: order, state: 'PARTLY_REDEEMED', delivery: 'NO_ADDRESS', ids: [987_654, 987_655] },
      expiresOn: '2027-03-31',
    },
  ],
  'shoutout.approved': ['987654', null],
  'shoutout.declined': ['987654', 'Ada Okafor'],
  'feed.hidden': ['5', null, { of: 'POST' }],
  'feed.kept': ['5', null, { of: 'COMMENT' }],
  'mail.read': [order, null, reads],
  'mail.tested': [null, null, { to: 'ada@example.com' }],
  'budget.changed': ['2', 'CAD', { giftLimit: null, allowance: { amount: 600, every: 'YEAR' } }],
  'budget.closed': ['2', 'CAD'],
  'budget.granted': ['2', 'CAD', { amount: 25, note: 'For May' }],
  'budget.set': ['2', 'CAD', { memberId: 987_655, currency: 'CAD', lowAt: 10 }],
  'budget.withdrawn': ['2', 'CAD', { amount: 25 }],
  'spending_option.set': [
    'cards',
    'A gift card',
    {
      kind: 'POOL',
      name: 'A gift card',
      poolId: 987_654,
      position: 3,
      isOn: true,
      currencies: null,
      minAmount: 5,
      maxAmount: null,
      allowsParts: true,
      taxType: 'NEAR_CASH',
      description: 'Choose a shop',
      link: null,
      columns: [{ header: 'Number', field: 'employeeNumber' }],
    },
  ],
  'pool.added': ['2', 'Gift cards', { currency: 'CAD', lowAt: 5 }],
  'pool.changed': ['2', 'Gift cards', { lowAt: null }],
  'pool.emptied': ['2', 'Gift cards', { codes: 12, retailer: 'Harbour Books', value: 25 }],
  'pool.filled': ['2', 'Gift cards', { codes: 12 }],
  'redemption.declined': ['987654', 'Give it to charity'],
  'redemption.fulfilled': ['987654', 'Give it to charity'],
  'redemption.reversed': ['987654', null, { note: 'Paid twice' }],
  'redemption.voided': ['987654', 'In the shop'],
  'payroll.exported': [
    '11',
    null,
    { lines: 3, totals: [{ currency: 'CAD', amount: 35 }], sha256: 'a1b2c3d4'.repeat(8) },
  ],
  'webhook.added': ['1', 'https://example.com/giftwire'],
  'webhook.changed': ['1', 'https://example.com/giftwire'],
  'webhook.deleted': ['1', 'https://example.com/giftwire'],
  'webhook.disabled': ['1', 'https://example.com/giftwire', { reason: 'BY_HAND' }],
  'webhook.enabled': ['1', 'https://example.com/giftwire'],
  'webhook.replayed': ['1', 'https://example.com/giftwire', { eventId: 'evt_1_259' }],
  'webhook.rotated': ['1', 'https://example.com/giftwire'],
  'file.downloaded': ['gifts', 'gifts.csv', { ...reads, gifts: 0 }],
  'people.listed': ['recognition', null, { ...reads, people: 40 }],
};

/** What no person reads: ids, hashes, names of the API. */
const raw: readonly [what: string, pattern: RegExp][] = [
  ['a uuid or a part of it', /[0-9a-f]{8}-[0-9a-f]{4}|019a8453/],
  ['a hash', /\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b/],
  ['the id of an event', /evt_/],
  ['the id of a record', /98765[45]/],
  ['a name of the API', /\b[a-z]+[A-Z][a-z]+\b|\b[A-Z]+_[A-Z]+\b|\b[a-z]+:[a-z]+\b/],
  ['a value without words', /undefined|null|\[object|NaN/],
];

for (const [language, all] of Object.entries({ en, fr, es }))
  test(`an entry of each action reads without ids, hashes and names of the API (${language})`, () => {
    const spoken = { ...detailWords(all, createFormats(language as 'en')), nameOf: () => null };
    for (const action of auditActions) {
      const [subjectId, subjectName, detail = {}] = samples[action];
      const about = { actor: 'USER', actorId: 1, actorName: 'Samir Marín', at: reads.since, id: 1 } as const;
      const entry: AuditEntry = { ...about, action, subjectId, subjectName, detail };
      const sentence = [
        all.audit.actions[action],
        subjectOf(entry, all.audit)?.text ?? '',
        detailText(entry, spoken),
      ].join(' | ');
      for (const [what, pattern] of raw) assert.doesNotMatch(sentence, pattern, `${action} shows ${what}: ${sentence}`);
    }
  });

test('printed gifts of an order link to the order, and a subject that only an id names is left out', () => {
  const entry = { actor: 'TOKEN', actorId: 1, actorName: null, at: reads.since, id: 1, detail: {} } as const;
  const about = (action: AuditAction, subjectId: string) =>
    subjectOf({ ...entry, action, subjectId, subjectName: null }, en.audit);
  assert.deepEqual(about('gift.printed', order), {
    text: 'see the order',
    to: `/orders/${order}`,
    scope: 'orders:read',
    isLinkOnly: true,
  });
  assert.equal(about('shoutout.approved', '42'), null);
  assert.equal(about('payroll.exported', '11')?.text, 'export 11');
});
