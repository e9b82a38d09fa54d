/** What may come next in a JSON text, in the words of a message. */
const expectations = {
  value: 'a value',
  valueOrEnd: 'a value or "]"',
  name: 'a name in double quotes',
  nameOrEnd: 'a name in double quotes or "}"',
  colon: '":"',
  nextInObject: '"," or "}"',
  nextInArray: '"," or "]"',
  end: 'the end of the body',
} as const;
type Expected = keyof typeof expectations;

const blank = /[ \t\n\r]*/y;
const word = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const isControl = (code: number) => code < 0x20;

/**
 * Says where a text stops being JSON, and what was expected there. It reads the text once more, in the rare case that
 * JSON.parse has rejected it: the messages of V8 name no place, or repeat the caller's text.
 */
export function describeJsonProblem(text: string): string {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  const afterValue = (): Expected => {
    const inside = open.at(-1);
    return inside === undefined ? 'end' : inside === '{' ? 'nextInObject' : 'nextInArray';
  };
  for (;;) {
    at = endOf(blank, text, at) ?? at;
    const next = text[at];
    if (next === undefined || expected === 'end') return problemAt(text, at, expectations[expected]);
    const takesValue: boolean = expected === 'value' || expected === 'valueOrEnd';
    const takesName: boolean = expected === 'name' || expected === 'nameOrEnd';
    if ((next === '{' || next === '[') && takesValue) {
      open.push(next);
      expected = next === '{' ? 'nameOrEnd' : 'valueOrEnd';
      at++;
    } else if (
      (next === '}' && (expected === 'nameOrEnd' || expected === 'nextInObject')) ||
      (next === ']' && (expected === 'valueOrEnd' || expected === 'nextInArray'))
    ) {
      open.pop();
      expected = afterValue();
      at++;
    } else if (next === ',' && (expected === 'nextInObject' || expected === 'nextInArray')) {
      expected = expected === 'nextInObject' ? 'name' : 'value';
      at++;
    } else if (next === ':' && expected === 'colon') {
      expected = 'value';
      at++;
    } else if (next === '"' && (takesValue || takesName)) {
      const end = endOfText(text, at + 1);
      if (typeof end !== 'number') return problemAt(text, end.at, end.expected);
      expected = takesName ? 'colon' : afterValue();
      at = end;
    } else {
      const end = takesValue ? endOf(word, text, at) : null;
      if (end === null) return problemAt(text, at, expectations[expected]);
      expected = afterValue();
      at = end;
    }
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

const escapeForm = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** Where a text in quotes ends, or what is wrong in it. */
function endOfText(text: string, start: number): number | { at: number; expected: string } {
  let at = start;
  for (;;) {
    const code = text.charCodeAt(at);
    if (Number.isNaN(code)) return { at, expected: 'a double quote at the end of the text' };
    if (code === 0x22) return at + 1;
    if (isControl(code)) return { at, expected: 'a line break or another control character as an escape, as \\n,' };
    const after = code === 0x5c ? endOf(escapeForm, text, at) : at + 1;
    if (after === null) return { at, expected: 'an escape that JSON knows, as \\" or \\n,' };
    at = after;
  }
}

function problemAt(text: string, at: number, expected: string): string {
  const before = text.slice(0, at).split('\n');
  return `line ${before.length}, column ${(before.at(-1) as string).length + 1}: ${expected} was expected`;
}
