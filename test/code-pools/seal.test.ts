import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCodeHash, createSealer, unseal } from '../../src/spending/code-pools/seal.ts';
import { parseKeys } from '../support/keys.ts';

const old = '1:the first key of the tests of codes';
const rotated = `2:the second key of the tests of codes,${old}`;
const place = { workspaceId: 1, poolId: 2, id: 3 };
const secret = { code: 'RB-4821-ü', pin: '0417' };

test('what is sealed can be opened, also after the key was rotated', () => {
  const sealed = createSealer(parseKeys(old))(place, secret);
  assert.deepEqual(unseal(parseKeys(rotated), place, sealed), secret);
  const later = createSealer(parseKeys(rotated))(place, secret);
  assert.equal(later.keyVersion, 2);
  assert.deepEqual(unseal(parseKeys(rotated), place, later), secret);
  assert.throws(() => unseal(parseKeys(old), place, later), /key of version 2 is missing/);
});

test('a sealed code cannot be read with another key, moved to another row or changed', () => {
  const keys = parseKeys(old);
  const sealed = createSealer(keys)(place, secret);
  assert.throws(() => unseal(parseKeys('1:some other key of the tests of codes'), place, sealed));
  for (const other of [{ workspaceId: 9 }, { poolId: 9 }, { id: 9 }])
    assert.throws(() => unseal(keys, { ...place, ...other }, sealed));
  for (let at = 0; at < sealed.sealed.length; at++) {
    const changed = Buffer.from(sealed.sealed);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    assert.throws(() => unseal(keys, place, { ...sealed, sealed: changed }), `byte ${at}`);
  }
});

test('the same code never gives the same sealed text, and always the same hash', () => {
  const keys = parseKeys(old);
  const [one, other] = [createSealer(keys)(place, secret), createSealer(keys)(place, secret)];
  assert.ok(!one.sealed.equals(other.sealed));
  const [before] = createCodeHash(keys)('ab-12 cd');
  const after = createCodeHash(parseKeys(rotated))('AB12CD');
  assert.equal(after.length, 2);
  assert.ok(after[1]?.equals(before as Buffer), 'a code of the first key is found with the second');
  assert.ok(!after[0]?.equals(before as Buffer));
});
