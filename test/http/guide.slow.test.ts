import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { guideSlugs } from '../../src/doors/http/areas/docs/guide.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { startService } from '../support/service.ts';

// Pastes every command of the guide into a shell, against the demo company that the first start makes.

const root = join(import.meta.dirname, '../..');
const service = await startService({ demo: true });
const { token } = await service.addToken({ name: 'Samir Marín', workspaces: [1], actsAs: 'samir.marin@example.com' });
const folder = await mkdtemp(join(tmpdir(), 'giftwire-guide-'));
cleanUp(() => rm(folder, { recursive: true }));

interface Example {
  command: string;
  /** What the guide shows below the command. */
  answer: { language: string; text: string } | null;
}

type Json = Record<string, unknown>;

const block = /```sh\n(.*?)```(?:\n\n```(json|http)\n(.*?)```)?/gs;

function examplesOf(page: string): Example[] {
  return [...page.matchAll(block)].map(([, command = '', language, text]) => ({
    command,
    answer: language && text ? { language, text } : null,
  }));
}

/** A shell in which the reader has set the variables that the guide asks for. */
async function paste(command: string, variables: Record<string, string>): Promise<string> {
  const script = command
    .replaceAll('http://127.0.0.1:8080', service.url)
    .replaceAll('npx giftwire', `node ${root}/bin/giftwire.js`);
  const env = { ...process.env, ...variables, GIFTWIRE_TOKEN: token, DATABASE_URL: service.database.url };
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd: folder, env });
  return stdout;
}

/** What differs from one run to the next. */
const changing = [
  'requestId',
  'orderId',
  'id',
  'longToken',
  'shortToken',
  'createdAt',
  'createdOn',
  'lastDate',
  'leftOn',
  'lastRecognizedOn',
  'lastRecognizedBy',
  'recognitions',
];

function lasting(body: Json): unknown {
  return JSON.parse(JSON.stringify(body), (name, value) =>
    changing.includes(name) && value !== null ? `some ${name}` : value,
  );
}

/** Status line and headers as they are, and the body as JSON. */
function parseHttp(text: string): { head: string[]; body: Json } {
  const [head = '', body = ''] = text.split(/\r?\n\r?\n/);
  return { head: head.split(/\r?\n/), body: JSON.parse(body) };
}

function assertAnswer(shown: string, language: string, stdout: string): Json {
  if (language === 'json') {
    const body = JSON.parse(stdout) as Json;
    assert.deepEqual(lasting(body), lasting(JSON.parse(shown)));
    return body;
  }
  const [expected, real] = [parseHttp(shown), parseHttp(stdout)];
  assert.deepEqual(
    expected.head.filter((line) => !real.head.includes(line)),
    [],
  );
  assert.equal(
    real.head.some((line) => line.startsWith('idempotent-replayed')),
    expected.head.length > 1,
  );
  assert.deepEqual(lasting(real.body), lasting(expected.body));
  return real.body;
}

/** Runs a command until it answers as the guide shows: an order is fulfilled a moment after it is accepted. */
async function settle({ command, answer }: Example, variables: Record<string, string>): Promise<Json | null> {
  for (let attempt = 1; ; attempt++) {
    const stdout = await paste(command, variables);
    try {
      if (answer) return assertAnswer(answer.text, answer.language, stdout);
      assert.doesNotMatch(stdout, /"type":"(invalid_field|security_error|server_error)"/, command);
      return null;
    } catch (error) {
      if (attempt === 200 || !command.includes('/orders/')) throw error;
      await sleep(100);
    }
  }
}

for (const slug of guideSlugs)
  test(`the examples of the guide's page ${slug} work as they are`, async () => {
    const examples = examplesOf(await readFile(join(root, `docs/guide/${slug}.md`), 'utf8'));
    const variables: Record<string, string> = {};
    let last: Json = {};
    for (const example of examples) {
      const [, asked] = /^export (\w+)=\S*…/.exec(example.command) ?? [];
      if (asked === 'REQUEST_ID') variables.REQUEST_ID = String(last.requestId);
      else if (asked === 'SHOUTOUT_ID') variables.SHOUTOUT_ID = String(last.id);
      else if (asked === undefined) last = (await settle(example, variables)) ?? last;
      if (last.requestStatus === 'ACCEPTED') await finish(String(last.requestId));
    }
    assert.ok(examples.length > 0);
  });

async function finish(requestId: string): Promise<void> {
  const path = `/api/v1/orders/status/${requestId}`;
  await eventually(
    async () => (await service.call(path, { token, workspace: 1 })).body.requestStatus,
    (status) => status === 'COMPLETED' || status === 'FAILED',
  );
}
