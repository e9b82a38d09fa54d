import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { en } from '../../console/src/words/en/index.ts';
import { es } from '../../console/src/words/es/index.ts';
import { fr } from '../../console/src/words/fr/index.ts';
import { scopes } from '../../src/company/access/scopes.ts';
import { eventTypeNames } from '../../src/ground/contract/event.ts';
import { entryTypes } from '../../src/ground/contract/ledger-entry.ts';

const root = join(import.meta.dirname, '../..');

/** The types of the entries of a gift's log, as the modules write them. */
function timelineTypes(): string[] {
  const files = globSync('src/{giving,spending}/**/*.ts', { cwd: root });
  const texts = files.map((file) => readFileSync(join(root, file), 'utf8'));
  const moves = texts.flatMap((text) => [...text.matchAll(/\{ type: '([A-Z_]+)'/g)].map(([, type = '']) => type));
  return [...new Set(moves)].filter((type) => !['GIFT', 'SHOUTOUT'].includes(type));
}

test('what the service calls by a name of the API has a text in each language', () => {
  const types = timelineTypes();
  assert.ok(types.includes('THANKS_FAILED'), types.join());
  for (const { gifts, money, tokens, integrations } of [en, fr, es]) {
    const named: [string, readonly string[], object][] = [
      ['scopes', scopes, tokens.scopes],
      ['entries of the ledger', entryTypes, money.types],
      ['events', eventTypeNames, integrations.eventNames],
      ['entries of a gift', types.filter((type) => !(entryTypes as readonly string[]).includes(type)), gifts.happens],
    ];
    for (const [what, names, texts] of named)
      assert.deepEqual(
        names.filter((name) => !Object.hasOwn(texts, name)),
        [],
        what,
      );
  }
});

test('lists that continue are turned page by page: no screen has its own button for more', () => {
  const screens = globSync('console/src/screens/**/*.tsx', { cwd: root });
  assert.deepEqual(
    screens.filter((file) =>
      /fetchNextPage|disabled=\{[^}]*\b(before|after|size)\b/.test(readFileSync(join(root, file), 'utf8')),
    ),
    [],
  );
});

test('no screen has a date field of the browser, which speaks the language of the browser', () => {
  const files = globSync('console/src/**/*.tsx', { cwd: root });
  assert.deepEqual(
    files.filter((file) => /type="(date|datetime-local|time|month)"/.test(readFileSync(join(root, file), 'utf8'))),
    [],
  );
});

test('no two screens have the same name in a language', () => {
  for (const { screens } of [en, fr, es]) {
    const names = Object.values(screens).filter((name) => typeof name === 'string');
    assert.deepEqual(
      names.filter((name, nth) => names.indexOf(name) !== nth),
      [],
    );
  }
});
