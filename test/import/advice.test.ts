import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandAdvice, serviceAdvice } from '../../src/company/import/advice.ts';
import type { ImportResult } from '../../src/ground/contract/member-import.ts';
import { inOnePiece, openImports } from '../support/imports.ts';
import { startService } from '../support/service.ts';
import { openWorkspace, refusal } from '../support/workspace.ts';

const service = await startService();

const people = 'email,employeeNumber\nada@example.com,0077\nbob@example.com,2\n';
const unclear = [
  'email,employeeNumber,status,leavingDate',
  's@example.com,,Zulu,',
  'd@example.com,,Full time,03/04/2020',
  'l@example.com,,Full time,someday',
  'n@example.com,77,Active,',
  'bob@example.com,9,Active,',
  'ada@example.com,2,Active,',
  '',
].join('\n');
/** Options and commands of the command line. */
const ofCommandLine = /--[a-z]|giftwire /;

test('over HTTP a reason says what to choose, and names no option of the command line', async () => {
  const workspace = await openWorkspace(service);
  const send = (body: string | Uint8Array<ArrayBuffer>) =>
    workspace.call<ImportResult>('/api/v1/members/import', {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv' },
      body,
    });
  assert.equal((await send(people)).body.added, 2);
  const { faults, rejectedRows } = (await send(unclear)).body;
  assert.deepEqual(
    faults.map(({ line }) => line),
    [2, 3, 4, 5, 6, 7],
  );
  const texts = faults.map(({ reason }) => reason);
  assert.match(texts[0] ?? '', /^status "Zulu" is not understood: choose what it means, active or left/);
  assert.match(texts[4] ?? '', /change the number of that member first/);
  assert.match(texts[5] ?? '', /merge member \d+ into member \d+/);
  const refused: string[] = [];
  for (const file of ['a,b\n1,2\n', 'email,Phase\nx@example.com,Terminated\n', new Uint8Array([0x65, 0x0a, 0xff])])
    refused.push(refusal(await send(file), 400));
  for (const text of [...texts, rejectedRows ?? '', ...refused]) assert.doesNotMatch(text, ofCommandLine);
});

test('at the command line the same reasons name its options', async () => {
  const { take } = await openImports(service, people);
  const { reasons } = await take(inOnePiece(unclear), { advice: commandAdvice });
  assert.equal(reasons.length, 6);
  for (const reason of reasons) assert.match(reason, ofCommandLine);
});

test('each entry point has its own text for everything', () => {
  assert.deepEqual(Object.keys(serviceAdvice), Object.keys(commandAdvice));
});
