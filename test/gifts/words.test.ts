import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IntlMessageFormat } from 'intl-messageformat';
import { mail } from '../../src/giving/gifts/words/en/mail.ts';
import { page } from '../../src/giving/gifts/words/en/page.ts';
import { type TextKey, texts, wordsFor } from '../../src/giving/gifts/words/words.ts';

type Element = ReturnType<IntlMessageFormat['getAst']>[number];

/** The placeholders of a text, and what it chooses between: {count, plural}, {named, select yes other}. */
function placeholders(text: string): string[] {
  const found = (element: Element): string[] => {
    if (!('value' in element) || element.type === 0) return [];
    if (!('options' in element)) return [element.value];
    const inside = Object.values(element.options).flatMap(({ value }) => value.flatMap(found));
    const kind = element.type === 5 ? `select ${Object.keys(element.options).sort().join(' ')}` : 'plural';
    return [`${element.value}, ${kind}`, ...inside];
  };
  const parsed = new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst();
  return [...new Set(parsed.flatMap(found))].sort();
}

test('every language has the texts of English, with the same placeholders', () => {
  for (const [language, spoken] of Object.entries(texts)) {
    assert.deepEqual(Object.keys(spoken).sort(), Object.keys(texts.en).sort(), language);
    for (const [key, text] of Object.entries(spoken)) {
      assert.notEqual(text.trim(), '', `${language}: ${key}`);
      assert.deepEqual(placeholders(text), placeholders(texts.en[key as TextKey]), `${language}: ${key}`);
    }
  }
});

test('a text of a mail has a name that no text of a page has', () => {
  assert.deepEqual(
    Object.keys(mail).filter((key) => key in page),
    [],
  );
});

test('texts have no mark-up, no straight quotes and no exclamation marks', () => {
  for (const [language, spoken] of Object.entries(texts))
    for (const [key, text] of Object.entries(spoken)) {
      assert.doesNotMatch(text, /[<>&'"!¡]|\.\.\.|undefined/, `${language}: ${key}`);
      if (language === 'fr') assert.doesNotMatch(text, /[^\u00a0\u202f][:?»]|«[^\u00a0\u202f]/, key);
    }
});

test('the first language that we speak is taken, else English', () => {
  const cases: [string[], string, string][] = [
    [['FR_CA', 'EN_CA'], 'fr-CA', 'Ouvrir votre cadeau'],
    [['FR_XX'], 'fr-XX', 'Ouvrir votre cadeau'],
    [['DE_DE', 'ES_MX'], 'es-MX', 'Abrir su regalo'],
    [['AR_SA', 'JA_JP'], 'en-CA', 'Open your gift'],
    [['fr'], 'fr', 'Ouvrir votre cadeau'],
    [['', 'nonsense', '__proto__', 'EN_US'], 'en-US', 'Open your gift'],
    [[], 'en-CA', 'Open your gift'],
  ];
  for (const [languages, locale, button] of cases) {
    const words = wordsFor(...languages);
    assert.equal(words.locale, locale);
    assert.equal(words.say('giftButton'), button);
  }
});

test('amounts have their cents and their country, as the language writes them', () => {
  const plain = (language: string, amount: number, currency: string) =>
    wordsFor(language)
      .money(amount, currency)
      .replace(/[\u00a0\u202f]/g, ' ');
  assert.equal(plain('EN_CA', 75, 'CAD'), 'CA$75.00');
  assert.equal(plain('EN_US', 1075.5, 'USD'), 'US$1,075.50');
  assert.equal(plain('EN_GB', 10, 'GBP'), '£10.00');
  assert.equal(plain('EN_CA', 5000, 'JPY'), 'JP¥5,000');
  assert.equal(plain('EN_CA', 1.5, 'KWD'), 'KWD 1.500');
  assert.equal(plain('FR_CA', 75, 'CAD'), '75,00 $ CA');
  assert.equal(plain('FR_CA', 75, 'USD'), '75,00 $ US');
  assert.equal(plain('FR_FR', 1075.5, 'EUR'), '1 075,50 €');
  assert.equal(plain('ES_MX', 1500, 'MXN'), 'MX$1,500.00');
  assert.equal(plain('ES_ES', 75, 'EUR'), '75,00 €');
  assert.equal(plain('DE_DE', 75, 'CAD'), 'CA$75.00');
});

test('the last day is the one that ends where the workspace is', () => {
  const endOfMarchInToronto = new Date('2027-04-01T04:00:00Z');
  const on = (language: string, zone = 'America/Toronto') => wordsFor(language).lastDay(endOfMarchInToronto, zone);
  assert.equal(on('EN_CA'), '31 March 2027');
  assert.equal(on('EN_US'), 'March 31, 2027');
  assert.equal(on('FR_CA'), '31 mars 2027');
  assert.equal(on('ES_MX'), '31 de marzo de 2027');
  assert.equal(on('FR_FR', 'Pacific/Auckland'), '1er avril 2027');
});

test('a text comes in pieces where its values are shown in a way of their own', () => {
  const amount = { strong: 'CA$75.00' };
  const pieces = wordsFor('EN_CA').pieces('giftLead', { sender: 'Ada <b>', amount });
  assert.deepEqual(pieces, ['Ada <b> sent you a gift of ', amount, '.']);
});
