import assert from 'node:assert/strict';
import { test } from 'node:test';
import Type from 'typebox';
import { createTidier, optionalBody } from '../../src/doors/http/body/tidy.ts';
import { keepsNull, named, nullable, nullableRef, ref, trims } from '../../src/ground/contract/schema.ts';

const text = { format: 'text' };
const Part = named('Part', Type.Object({ name: Type.String(text), note: Type.Optional(Type.String(text)) }));
const Whole = named(
  'Whole',
  Type.Object({
    title: Type.String({ ...text, minLength: 1 }),
    subtitle: Type.Optional(Type.String({ ...text, minLength: 1 })),
    email: Type.Optional(nullable<string>('string', { format: 'email' })),
    contact: Type.Optional(Type.String({ format: 'email', [trims]: true })),
    password: Type.Optional(Type.String()),
    isPrivate: Type.Boolean({ default: false }),
    parts: Type.Optional(Type.Array(ref(Part), { maxItems: 2 })),
  }),
);
const Change = named(
  'Change',
  Type.Partial(
    Type.Object({
      brand: nullable<string>('string', text),
      days: nullable<number>('integer'),
      isOn: Type.Boolean(),
      part: nullableRef(Part),
    }),
    { [keepsNull]: true },
  ),
);
const tidier = createTidier([Part, Whole, Change]);
const tidy = tidier({ ...Whole, required: ['title'] });
const tidyChange = tidier(ref(Change));

/** Without the fields that are undefined, as it is stored. */
const stored = (value: unknown) => JSON.parse(JSON.stringify(value));

test('texts are trimmed, other strings only where their schema says so', () => {
  const body = { title: ' a ', email: ' a@b.c ', contact: ' a@b.c ', password: '  ' };
  assert.deepEqual(stored(tidy(body)), {
    title: 'a',
    email: ' a@b.c ',
    contact: 'a@b.c',
    password: '  ',
    isPrivate: false,
  });
});

test('blank and null optional fields are absent, unless the field must not be empty', () => {
  assert.deepEqual(stored(tidy({ title: ' ', subtitle: ' ', email: ' ', contact: null, isPrivate: null })), {
    title: '',
    subtitle: '',
    isPrivate: false,
  });
});

test('unknown fields are dropped at every depth', () => {
  const body = { title: 'a', extra: 1, parts: [{ name: ' b ', extra: 2, note: ' ' }] };
  assert.deepEqual(stored(tidy(body)), { title: 'a', isPrivate: false, parts: [{ name: 'b' }] });
});

test('in a change, null and blank clear a field that can be null, and an absent field stays absent', () => {
  assert.deepEqual(stored(tidyChange({ brand: ' ', days: null, isOn: null, part: null })), {
    brand: null,
    days: null,
    part: null,
  });
  assert.deepEqual(stored(tidyChange({ part: { name: ' b ' } })), { part: { name: 'b' } });
});

test('values of a wrong type are left to the check, and a list keeps one element above its limit', () => {
  assert.equal(tidy('text'), 'text');
  assert.deepEqual(stored(tidy({ title: 1, parts: 'none' })), { title: 1, parts: 'none', isPrivate: false });
  assert.equal((tidy({ parts: [{}, {}, {}, {}] }) as { parts: unknown[] }).parts.length, 3);
});

test('a missing body is an empty one where callers may leave it out', () => {
  const tidyOptional = tidier(Object.assign(ref(Change), { [optionalBody]: true }));
  assert.deepEqual(stored(tidyOptional(null)), {});
  assert.equal(tidyChange(null), null);
});
