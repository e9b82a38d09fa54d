import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormats } from '../../console/src/words/formats.ts';

test('moments and days of another year say which year', () => {
  const year = new Date().getFullYear();
  for (const language of ['en', 'fr', 'es'] as const) {
    const { weekday, moment } = createFormats(language);
    for (const write of [weekday, moment]) {
      assert.doesNotMatch(write(`${year}-06-15T12:00:00Z`), new RegExp(`${year}`), language);
      assert.match(write(`${year - 1}-06-15T12:00:00Z`), new RegExp(`\\b${year - 1}\\b`), language);
    }
    assert.match(weekday(`${year}-06-15T12:00:00Z`), /^\p{Lu}/u);
  }
});
