import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atTheCommandLine } from '../../src/company/workspaces/audit.ts';
import type { AuditPage } from '../../src/ground/contract/audit.ts';
import type { Pool } from '../../src/ground/contract/pool.ts';
import { addCodes } from '../../src/spending/code-pools/add-codes.ts';
import { dumpTables } from '../support/dump.ts';
import { parseKeys } from '../support/keys.ts';
import { aCode, codeFile, createPools } from '../support/pools.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const tokenKey = '1:the first key of the tests of pools';
const service = await startService({ role: 'api', logLevel: 'trace', tokenKey });
const workspace = await openWorkspace(service);
const pools = createPools(workspace.call);

test('a file of codes is counted by retailer and value, and noted in the audit log', async () => {
  const { id } = await pools.add({ name: 'Shops' });
  const file = [aCode('Riverside Books', 25), aCode('Riverside Books', 25), aCode('Café Lune', 9.5, '2040-01-31')];
  assert.deepEqual((await pools.fill(id, ...file)).stocks, [
    { retailer: 'Café Lune', value: 9.5, left: 1, given: 0, expired: 0 },
    { retailer: 'Riverside Books', value: 25, left: 2, given: 0, expired: 0 },
  ]);
  refusal(await workspace.call('/api/v1/pools', { method: 'POST', body: { name: 'shops', currency: 'CAD' } }), 409);
  const renamed = await workspace.call<Pool>(`/api/v1/pools/${id}`, { method: 'PATCH', body: { name: 'Our shops' } });
  assert.deepEqual([renamed.status, renamed.body.name, renamed.body.lowAt], [200, 'Our shops', 0]);
  const { entries } = await workspace.read<AuditPage>('/api/v1/audit');
  assert.deepEqual(
    entries.slice(0, 3).map(({ action }) => action),
    ['pool.changed', 'pool.filled', 'pool.added'],
  );
});

test('faults are named by line, all of them, and nothing is stored', async () => {
  const { id } = await pools.add();
  const faults: [string, RegExp][] = [
    [aCode('', 25), /line 3 has no retailer/],
    ['Riverside Books,,A-1,,', /line 3 has no value/],
    ['Riverside Books,25,,,', /line 3 has no code/],
    ['Riverside Books,25,-,,', /line 3 has no code/],
    ['Riverside Books,25,– –,,', /line 3 has no code/],
    ['Riverside Books,"25,00",A-1,,', /line 3 has a value that is not an amount/],
    ['Riverside Books,0,A-1,,', /line 3 has a value that is not an amount/],
    ['Riverside Books,10000.01,A-1,,', /line 3 has a value that is not an amount/],
    ['Riverside Books,25.001,A-1,,', /line 3 has a value that must have at most 2 decimals in CAD/],
    ['Riverside Books,10.000,A-1,,', /line 3 has a value that must have at most 2 decimals in CAD/],
    ['Riverside Books,25,A-1,,2026-02-30', /line 3 has an expiry that is not a day/],
    ['Riverside Books,25,A-1,,31/12/2040', /line 3 has an expiry that is not a day/],
    ['Riverside Books,25,A-1,,2020-12-31', /line 3 has an expiry that is over/],
    ['Riverside Books,25,6.03E+15,,', /line 3 has a code that a spreadsheet has rounded/],
    ['Riverside Books,25,A-1', /line 3 has 3 cells and not 5/],
    ['Riverside Books,25,"A-1,,', /line 3 a quote is opened and never closed/],
    [`Riverside Books,25,${'9'.repeat(501)},,`, /line 3 has a code of more than 500 characters/],
    ['Riverside Books,25,A\u00071,,', /line 3 has a control character in its code/],
  ];
  for (const [line, expected] of faults) {
    const message = refusal(await pools.upload(id, codeFile(aCode(), line, aCode())), 400);
    assert.match(message, /^Nothing was stored: /);
    assert.match(message, expected);
    assert.doesNotMatch(message, /line [24]|A-1/, 'only the line at fault is named, without its code');
  }
  const both = refusal(await pools.upload(id, codeFile('Shop,x,A-1,,', aCode(), 'Shop,5,,,')), 400);
  assert.match(both, /line 2 .*; line 4 has no code$/);
  const open = refusal(await pools.upload(id, codeFile('Shop,25,-,,', 'Shop,25,-,,')), 400);
  assert.match(open, /: line 2 has no code; line 3 has no code$/);
  assert.deepEqual((await pools.read(id)).stocks, []);
});

test('a value may have as many decimals as its currency, and zeros are decimals too', async () => {
  const pesos = await pools.add({ currency: 'CLP' });
  const refused = refusal(await pools.upload(pesos.id, codeFile('Shop,10.000,CLP-1,,', 'Shop,5000,CLP-2,,')), 400);
  assert.match(refused, /: line 2 has a value that must be a whole number in CLP$/);
  const dinars = await pools.add({ currency: 'KWD' });
  assert.equal((await pools.fill(dinars.id, 'Shop,1.500,KWD-1,,')).stocks[0]?.value, 1.5);
});

test('files that are no such file are refused', async () => {
  const { id } = await pools.add();
  assert.match(refusal(await pools.upload(id, codeFile()), 400), /has no codes/);
  assert.match(refusal(await pools.upload(id, 'retailer,value,code,secret\na,1,b,c\n'), 400), /must name the columns/);
  assert.match(refusal(await pools.upload(id, 'retailer,value\na,1\n'), 400), /must name the columns/);
  assert.match(refusal(await pools.upload(id, new Uint8Array([0xff, 0xfe, 0x41, 0])), 400), /not UTF-8/);
  assert.match(
    refusal(await pools.upload(id, codeFile(...Array.from({ length: 10_001 }, () => aCode()))), 400),
    /more than 10000 codes/,
  );
  const asJson = { method: 'POST', body: { codes: [] } };
  refusal(await workspace.call(`/api/v1/pools/${id}/codes`, asJson), 415);
  const file = { method: 'POST', body: codeFile(aCode()), headers: { 'Content-Type': 'text/csv' } };
  refusal(await workspace.call('/api/v1/pools/999999/codes', file), 404);
  const other = await openWorkspace(service);
  refusal(await other.call(`/api/v1/pools/${id}/codes`, file), 404);
});

test('columns may stand in any order, with other separators and a byte order mark', async () => {
  const { id } = await pools.add();
  const answer = await pools.upload(id, '\ufeffCode;Value;Retailer\r\nQ-1;5;Café Lune\r\n\r\nQ-2;5;Café Lune\r\n');
  assert.deepEqual([answer.status, answer.body.added], [201, 2]);
  assert.deepEqual(answer.body.pool.stocks, [{ retailer: 'Café Lune', value: 5, left: 2, given: 0, expired: 0 }]);
});

test('a code is in a workspace once, however it is written, and also after the key was rotated', async () => {
  const { id } = await pools.add({ name: 'First' });
  const twice = codeFile('Shop,5,abcd-efgh,,', 'Shop,5,ABCD EFGH,,');
  assert.match(refusal(await pools.upload(id, twice), 400), /line 3 has the same code as line 2$/);
  await pools.fill(id, 'Shop,5,abcd-efgh,,');
  const other = await pools.add();
  const again = codeFile(aCode(), 'Another spelling,50,ABCDEFGH,1,');
  assert.match(
    refusal(await pools.upload(other.id, again), 400),
    /line 3 has a code that is in the pool "First" already/,
  );
  assert.deepEqual((await pools.read(other.id)).stocks, []);
  const races = await Promise.all(
    Array.from({ length: 10 }, () => pools.upload(other.id, codeFile('Shop,5,raced-1,,'))),
  );
  assert.equal(races.filter(({ status }) => status === 201).length, 1);
  const rotated = parseKeys(`2:the second key of the tests of pools,${tokenKey}`);
  const file = Buffer.from(codeFile('Shop,5,abcd-efgh,,'));
  await assert.rejects(addCodes(service.database, rotated, atTheCommandLine, workspace.id, other.id, file), {
    message: 'Nothing was stored: line 2 has a code that is in the pool "First" already',
  });
  const elsewhere = await openWorkspace(service);
  await createPools(elsewhere.call).fill((await createPools(elsewhere.call).add()).id, 'Shop,5,abcd-efgh,,');
});

test('no code or PIN is in a table, a log, an event or an answer', async () => {
  const { id } = await pools.add();
  const secrets = ['KQXW-7781-ZZTP', '90817264'];
  const answers = [
    await pools.upload(id, codeFile(`Shop,5,${secrets[0]},${secrets[1]},`)),
    await pools.upload(id, codeFile(`Shop,5,${secrets[0]},${secrets[1]},`)),
    await pools.upload(id, codeFile(`Shop,x,${secrets[0]},${secrets[1]},`, `"Shop,5,${secrets[0]}`)),
    await workspace.call('/api/v1/pools'),
    await workspace.call('/api/v1/audit'),
    await workspace.call('/api/v1/events'),
  ];
  const places = {
    tables: await dumpTables(service.database),
    log: JSON.stringify(service.logLines()),
    answers: JSON.stringify(answers.map(({ body }) => body)),
  };
  const hex = (text: string) => Buffer.from(text).toString('hex');
  for (const [place, text] of Object.entries(places))
    for (const secret of secrets.flatMap((one) => [one, one.replaceAll('-', ''), hex(one)]))
      assert.ok(!text.includes(secret), `${secret} is in the ${place}`);
});
