import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeJsonProblem } from '../../src/doors/http/body/json-problem.ts';
import fc from '../support/fast-check.ts';

test('a message about invalid JSON names the place and what was expected', () => {
  for (const [text, says] of [
    ['{"a": 1,}', 'line 1, column 9: a name in double quotes was expected'],
    ['{"a": 1\n "b": 2}', 'line 2, column 2: "," or "}" was expected'],
    ["{'a': 1}", 'line 1, column 2: a name in double quotes or "}" was expected'],
    ['[1, 2', 'line 1, column 6: "," or "]" was expected'],
    ['[1,]', 'line 1, column 4: a value was expected'],
    ['{"a" 1}', 'line 1, column 6: ":" was expected'],
    ['{"a": undefined}', 'line 1, column 7: a value was expected'],
    ['{"a": 01}', 'line 1, column 7: a value was expected'],
    ['{} {}', 'line 1, column 4: the end of the body was expected'],
    ['"abc', 'line 1, column 5: a double quote at the end of the text was expected'],
    ['["a\nb"]', 'line 1, column 4: a line break or another control character as an escape, as \\n, was expected'],
    ['["\\x"]', 'line 1, column 3: an escape that JSON knows, as \\" or \\n, was expected'],
    ['hello', 'line 1, column 1: a value was expected'],
  ] as const)
    assert.equal(describeJsonProblem(text), says, text);
});

/** One character of a JSON text removed, added or replaced. */
const damaged = fc
  .record({
    json: fc.json({ maxDepth: 4 }),
    at: fc.nat(),
    removed: fc.nat(1),
    added: fc.constantFrom('', '"', ',', '{', '}', ']', ':', '\\', 'e', '-', '\n', '0'),
  })
  .map(({ json, at, removed, added }) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + added + json.slice(place + removed);
  });

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** The place that a message names, as an index. */
function placeIn(text: string): number {
  const [, line, column] = /^line (\d+), column (\d+): /.exec(describeJsonProblem(text)) ?? [];
  const before = text.split('\n').slice(0, Number(line) - 1);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + Number(column) - 1;
}

test('up to the place that is named, nothing is wrong', () => {
  fc.assert(
    fc.property(damaged, (text) => {
      if (parses(text)) return;
      const place = placeIn(text);
      assert.ok(place <= text.length, text);
      const before = text.slice(0, place);
      assert.ok(parses(before) || placeIn(before) === before.length, text);
    }),
  );
});
