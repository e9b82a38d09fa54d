import assert from 'node:assert/strict';
import { test } from 'node:test';
import { valueMap } from '../../src/doors/cli/import-arguments.ts';
import { openImports, pick } from '../support/imports.ts';
import { startService } from '../support/service.ts';

const service = await startService();

const known = 'employeeNumber,firstName,lastName\n0077,Ada,Able\n123456789012,Bo,Best\n5,Cy,Cole\n';

test('a number without its zeros, or its digits, is shown with the person whom it probably identifies, and not stored', async () => {
  const { take, list } = await openImports(service, known);
  const before = await list();
  const [ada, bo] = pick(before, 'id').flat();
  const file =
    'employeeNumber,firstName,email\n77,Ada,\n1.23457E+11,Bo,\n9.99E+14,Di,\n77,Eve,eve@example.com\n5,Cyd,\n';
  for (const isDryRun of [true, false]) {
    const { counts, damagedNumbers, reasons } = await take(file, { isDryRun });
    assert.deepEqual(counts, [0, 1, 0, 4]);
    const adas = { id: ada, employeeNumber: '0077', firstName: 'Ada', lastName: 'Able' };
    const bos = { id: bo, employeeNumber: '123456789012', firstName: 'Bo', lastName: 'Best' };
    assert.deepEqual(damagedNumbers, [
      { line: 2, employeeNumber: '77', probably: adas },
      { line: 3, employeeNumber: '1.23457E+11', probably: bos },
      { line: 4, employeeNumber: '9.99E+14', probably: null },
      { line: 5, employeeNumber: '77', probably: adas },
    ]);
    assert.match(
      reasons[0] ?? '',
      /^2: employeeNumber "77" is probably "0077" \(Ada Able, member \d+\), without its zeros/,
    );
    assert.match(reasons[1] ?? '', /^3: .*has lost digits.*it is probably "123456789012" \(Bo Best, member \d+\)$/);
    assert.match(reasons[2] ?? '', /write the number again$/);
  }
  assert.deepEqual(pick(await list(), 'id', 'number'), pick(before, 'id', 'number'));
});

test('the caller says which number it is: the whole one, or the one in the file', async () => {
  const { take, list } = await openImports(service, known);
  const file = 'employeeNumber,firstName\n77,Adah\n';
  const whole = await take(file, { values: valueMap('employeeNumber:77=0077') });
  assert.deepEqual([whole.counts, whole.damagedNumbers], [[0, 1, 0, 0], []]);
  const asItIs = await take(file, { values: valueMap('employeeNumber:77=77') });
  assert.deepEqual(asItIs.counts, [1, 0, 0, 0]);
  assert.deepEqual(pick(await list(), 'number', 'name'), [
    ['0077', 'Adah/Able'],
    ['123456789012', 'Bo/Best'],
    ['5', 'Cy/Cole'],
    ['77', 'Adah/'],
  ]);
  assert.deepEqual((await take(file)).counts, [0, 0, 1, 0], 'a number that a person has is that person’s');
});

test('a number without its zeros is noticed beside the whole one in the same file', async () => {
  const file = 'employeeNumber,firstName\n088,Gus\n88,Gus\n99,Hal\n';
  for (const batchRows of [1, 2_000]) {
    const { take } = await openImports(service);
    for (const isDryRun of [true, false]) {
      const { counts, reasons } = await take(file, { isDryRun, batchRows });
      assert.deepEqual(counts, [2, 0, 0, 1]);
      assert.match(reasons[0] ?? '', /^3: employeeNumber "88" is probably "088"/);
    }
  }
});
