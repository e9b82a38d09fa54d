import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMail } from '../../src/giving/delivery/compose/compose.ts';
import type { MailKind, MailToCompose } from '../../src/giving/delivery/compose/letter.ts';
import fc from '../support/fast-check.ts';
import { aMail, aPng } from '../support/mails.ts';
import { findMarkupFault } from '../support/markup.ts';
import { naughtyStrings } from '../support/naughty-strings.ts';
import { runs } from '../support/runs.ts';

const kinds: MailKind[] = ['GIFT', 'REMINDER', 'THANKS', 'CODE', 'DECISION'];
const hasButton = (kind: MailKind) => kind === 'GIFT' || kind === 'REMINDER' || kind === 'DECISION';

function hrefs(html: string): string[] {
  return [...html.matchAll(/<a\b[^>]*\bhref="([^"]*)"/g)].map(([, href = '']) => href);
}

/** Every address in a mail, also those that a browser would fetch. */
function addresses(text: string): string[] {
  return text.match(/\b(?:https?:)?\/\/[^\s"'<>)]+/g) ?? [];
}

for (const kind of kinds) {
  for (const [language, locale] of [
    ['EN_CA', 'en-CA'],
    ['FR_CA', 'fr-CA'],
    ['ES_MX', 'es-MX'],
  ] as const) {
    test(`${kind} in ${locale} says who, what and how to check it, in text and in HTML`, () => {
      const mail = aMail({ kind, gift: { language }, settings: { language } });
      const { subject, text, html, language: spoken } = composeMail(mail);
      const amount =
        language === 'FR_CA' ? '75,00\u00a0$\u00a0CA' : language === 'ES_MX' ? 'CAD\u00a075.00' : 'CA$75.00';
      assert.equal(spoken, locale);
      assert.match(html, new RegExp(`<html lang="${locale}" dir="ltr">`));
      assert.equal(findMarkupFault(html.replace(/<style>.*<\/style>/s, '')), null);
      assert.ok(Buffer.byteLength(html) < 30_000);
      for (const part of [text, html]) {
        assert.ok(part.includes(amount), amount);
        assert.ok(part.includes('Northwind Labs'));
        assert.ok(part.includes('Giftwire'));
        assert.doesNotMatch(part, /undefined|\[object/);
      }
      assert.doesNotMatch(subject + text, /[{}]/);
      assert.equal(html.match(/class="btn-a"/g)?.length ?? 0, hasButton(kind) ? 1 : 0);
    });
  }
}

test('the mail about a gift has one button, the short code, the reason, the last day and a way to stop reminders', () => {
  for (const kind of ['GIFT', 'REMINDER'] as const) {
    const mail = aMail({ kind });
    const { links, shortToken, settings } = mail;
    const { text, html } = composeMail(mail);
    assert.deepEqual(hrefs(html), [links.page, links.codePage, `mailto:${settings.replyTo}`, links.quiet]);
    for (const part of [text, html])
      for (const shown of [shortToken, 'Above and beyond', '31 March 2027', 'the link goes to', 'three reminders'])
        assert.ok(part.includes(shown), shown);
    for (const link of [links.page, links.codePage, links.quiet]) assert.match(text, new RegExp(`${link}(\\s|$)`, 'm'));
  }
});

test('nothing is fetched from elsewhere: every address begins with the public address', () => {
  for (const kind of kinds) {
    const logo = { type: 'image/png', bytes: aPng(360, 90) };
    const { text, html } = composeMail(aMail({ kind, logo }));
    for (const address of [...addresses(text), ...addresses(html)])
      assert.ok(address.startsWith('https://gifts.northwind.example/g'), address);
    assert.doesNotMatch(html, /url\(|@import|<link|<script|<iframe|<object|background=/i);
    assert.deepEqual(
      [...html.matchAll(/\bsrc="([^"]*)"/g)].map(([, source]) => source),
      ['cid:logo'],
    );
  }
});

test('the mails to the sender and with a code hold neither the link nor the short code', () => {
  for (const kind of ['THANKS', 'CODE'] as const) {
    const mail = aMail({ kind });
    const { text, html } = composeMail(mail);
    for (const secret of [mail.links.page, mail.links.page.split('#')[1] as string, mail.shortToken])
      assert.ok(!text.includes(secret) && !html.includes(secret));
    assert.ok(hrefs(html).every((href) => href.startsWith('mailto:')));
  }
  const { text, html, subject } = composeMail(aMail({ kind: 'CODE' }));
  assert.ok(text.includes('482913') && html.includes('482913') && !subject.includes('482913'));
});

const anyText = fc.oneof(
  fc.constantFrom(...naughtyStrings),
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '!', '{', '}', '$', '\r', '\n', 'a', '\u202e'),
    maxLength: 60,
  }),
  fc.constantFrom(
    'a\r\nBcc: everybody@example.com',
    '</td></table><a href="https://evil.example">',
    '{sender}',
    `!\${1}`,
  ),
);

/** Without what stands between tags, so that two mails with other words compare equal. */
function skeleton(html: string): string {
  const tags = html.replace(/<style>.*<\/style>/s, '').match(/<[^>]*>/g) ?? [];
  return tags
    .filter((tag) => !/^<\/?(p|br)\b/.test(tag))
    .map((tag) => tag.replace(/ (aria-label|alt|dir)="[^"]*"/g, '').replace(/padding-(left|right):20px/, ''))
    .join('\n');
}

test('names, messages and sentences of any characters change neither headers nor mark-up', () => {
  const ordinary = Object.fromEntries(kinds.map((kind) => [kind, skeleton(composeMail(withTexts(kind, 'Ada')).html)]));
  fc.assert(
    fc.property(anyText, fc.constantFrom(...kinds), (text, kind) => {
      // A blank name is left out, with its place.
      fc.pre(/[^\s\p{Cc}\p{Cf}\p{Z}]/u.test(text));
      const { subject, fromName, html, text: plain } = composeMail(withTexts(kind, text));
      for (const header of [subject, fromName]) {
        assert.doesNotMatch(header, /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u);
        assert.ok(header.length <= 150);
      }
      assert.equal(findMarkupFault(html.replace(/<style>.*<\/style>/s, '')), null);
      assert.equal(skeleton(html), ordinary[kind]);
      assert.doesNotMatch(plain, /[^\P{Cc}\n]/u);
    }),
    { numRuns: runs(400) },
  );
});

function withTexts(kind: MailKind, text: string): MailToCompose {
  const gift = { firstName: text, lastName: text, senderName: text, message: text, reason: text, thanks: text };
  return aMail({ kind, gift, settings: { name: text, sentence: text } });
}

test('a message keeps its paragraphs and lines, and stands in its own direction', () => {
  const { html, text } = composeMail(aMail({ gift: { message: 'شكراً\nlليلى\n\nThank <you>' } }));
  assert.match(html, /<table [^>]*dir="rtl">/);
  assert.match(html, /<p [^>]*dir="auto"[^>]*>شكراً<br>lليلى<\/p><p [^>]*dir="auto"[^>]*>Thank &#60;you&#62;<\/p>/);
  assert.ok(text.includes('“شكراً\nlليلى\n\nThank <you>”'));
});

test('somebody without a name is greeted without one, and so is a sender', () => {
  const nameless = { firstName: '', lastName: ' ', senderName: ' ' };
  const { text, subject } = composeMail(aMail({ gift: nameless }));
  assert.equal(subject, 'Northwind Labs sent you a gift');
  assert.match(text, /^Thank you$/m);
  const thanks = composeMail(aMail({ kind: 'THANKS', gift: nameless }));
  assert.deepEqual([thanks.subject, thanks.fromName], ['A thank-you note for your gift', 'Northwind Labs']);
});

test('what a workspace has not set is left out', () => {
  const { links } = aMail();
  const { text } = composeMail(
    aMail({ gift: { expiresAt: null }, settings: { replyTo: null }, links: { ...links, quiet: null } }),
  );
  assert.doesNotMatch(text, /Claim it by|reminder|write to/);
  assert.match(text, /Ask Ada Okafor\./);
  const own = composeMail(aMail({ settings: { sentence: 'Spend it in the canteen.' } }));
  assert.ok(own.text.includes('Spend it in the canteen.') && own.html.includes('Spend it in the canteen.'));
});

test('a logo is attached and shown at a size that mail programs keep', () => {
  const bytes = aPng(720, 180);
  const { html, attachments } = composeMail(aMail({ logo: { type: 'image/png', bytes } }));
  assert.match(html, /<img [^>]*src="cid:logo" width="160" height="40" alt="Northwind Labs"/);
  assert.deepEqual(attachments, [
    { cid: 'logo', filename: 'logo.png', contentType: 'image/png', contentDisposition: 'inline', content: bytes },
  ]);
});
