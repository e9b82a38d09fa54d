import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fuzz } from '../fuzz/fuzz.ts';
import { createJudge } from '../fuzz/judge.ts';
import { type Operation, operationsOf, readDocument } from '../support/openapi.ts';
import { runs } from '../support/runs.ts';
import { testSeed } from '../support/seed.ts';
import { startService } from '../support/service.ts';

// A small run of `npm run test:fuzz`, with the seed of all tests.

const document = await readDocument();

test('every response to a random request is documented for its operation, and none is a 5xx', async () => {
  const service = await startService({ demo: true, mailServer: 'outbox' });
  const { problems, statuses } = await fuzz(service, {
    document,
    workspace: 1,
    requests: runs(3_000),
    seed: testSeed,
    patience: 5,
  });
  assert.deepEqual(problems, []);
  const all = operationsOf(document).size;
  const succeeded = [...statuses.values()].filter((counts) => [...counts.keys()].some((status) => status < 300));
  assert.equal(statuses.size, all);
  assert.ok(succeeded.length > all / 2, `only ${succeeded.length} of ${all} operations ever succeeded`);
});

test('an undocumented status, media type or field is a problem, and so is every 5xx', () => {
  const judge = createJudge(document);
  const operation = operationsOf(document).get('getOrderStatus') as Operation;
  const record = {
    requestId: '01a1df76-7923-7084-a702-6abd76aadac6',
    requestStatus: 'ACCEPTED',
    orderStep: 'PENDING',
    orderId: null,
    customerRequestId: null,
  };
  const judged = (
    status: number,
    body: unknown,
    type = 'application/json; charset=utf-8',
    invalidFields: string | null = null,
  ) => judge(operation, { status, type, text: JSON.stringify(body), invalidFields });
  const problem = (status: number, more: object = {}) => ({ status, message: 'x', type: 'invalid_field', ...more });
  assert.equal(judged(200, record), null);
  assert.equal(judged(404, problem(404)), null);
  assert.match(judged(200, { ...record, orderId: 'x' }) ?? '', /another body than documented/);
  assert.match(judged(200, { ...record, requestStatus: 'LOST' }) ?? '', /another body than documented/);
  assert.match(judged(404, { status: 404, message: 'x' }) ?? '', /another body than documented/);
  assert.match(judged(409, problem(409)) ?? '', /409 is not documented/);
  assert.match(judged(200, record, 'text/html') ?? '', /not documented as text\/html/);
  assert.match(judged(500, problem(500)) ?? '', /^500/);
  assert.match(judged(503, problem(503)) ?? '', /^503/);
  const said = (message: string, fields?: string) =>
    judged(400, problem(400, { message }), 'application/json', fields ?? null) ?? '';
  assert.match(said('gifts[0].amount must be from 1 to 5'), /without X-Invalid-Fields/);
  assert.equal(said('gifts[0].amount must be from 1 to 5', 'gifts[0].amount'), '');
  assert.equal(said('The body must be a JSON object.'), '');
  assert.match(said('audience must match a schema in anyOf', 'audience'), /in words of a schema/);
});
