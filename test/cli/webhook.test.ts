import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Webhook, WebhookAttempt, WebhookWithSecret } from '../../src/ground/contract/webhook.ts';
import { assertFailed, runJson } from '../support/commands.ts';
import { eventually } from '../support/eventually.ts';
import { giftwire } from '../support/process.ts';
import { startReceiver } from '../support/receiver.ts';
import { startService } from '../support/service.ts';
import { openWorkspace } from '../support/workspace.ts';

// The commands read the key from the settings, as the service does.
const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey });
const env = { DATABASE_URL: service.database.url, GIFTWIRE_TOKEN_KEY: tokenKey };
const workspace = await openWorkspace(service);
const at = ['--workspace', String(workspace.id)];
const run = <T = Webhook>(...args: string[]) => runJson<T>(['webhook', ...args, ...at], env);
const show = (...args: string[]) => giftwire(['webhook', ...args, ...at], env);

/** The attempts as the API shows them: asking with a command again and again would take long. */
const attemptsOf = async (id: string) =>
  (await workspace.read<{ attempts: WebhookAttempt[] }>(`/api/v1/webhooks/${id}/attempts`)).attempts;

test('a webhook is made, shown, tried, replayed and deleted', async () => {
  const receiver = await startReceiver();
  const made = await run<WebhookWithSecret>('create', receiver.url, '--types', 'order.completed', '--description', 'P');
  const { secret, ...shown } = made;
  assert.match(secret, /^whsec_/);
  const id = String(made.id);
  const overHttp = await workspace.read<Webhook>(`/api/v1/webhooks/${id}`);
  assert.deepEqual(shown, overHttp, 'the command line and the API show the same');
  await workspace.gift({ email: 'ada@example.com' });
  const attempts = await eventually(
    () => attemptsOf(id),
    ({ length }) => length > 0,
  );
  const [listed, tried] = await Promise.all([
    run<WebhookAttempt[]>('attempts', id),
    run<WebhookAttempt>('test', id, '--type', 'shoutout.given'),
    run('replay', id, '--event', attempts[0]?.eventId as string),
  ]);
  assert.deepEqual(listed.at(-1), attempts.at(-1));
  assert.partialDeepStrictEqual(tried, { succeeded: true, status: 204 });
  await eventually(async () => receiver.received.length >= 3);
  assert.deepEqual(await run('delete', id), { id: made.id, deleted: true });
});

test('a webhook is changed, rotated, disabled and enabled', async () => {
  const made = await run<WebhookWithSecret>('create', 'http://127.0.0.1:9/', '--strict');
  assert.equal(made.ordering, 'strict');
  const id = String(made.id);
  const [changed, rotated, disabled] = await Promise.all([
    run('update', id, '--types', 'order.failed', '--ordering', 'none'),
    run<WebhookWithSecret>('rotate', id),
    run('disable', id),
  ]);
  assert.deepEqual([changed.types, changed.ordering, 'secret' in changed], [['order.failed'], 'none', false]);
  assert.notEqual(rotated.secret, made.secret);
  assert.equal(disabled.disabledReason, 'BY_HAND');
  assert.match((await show('list')).stdout, /disabled \(BY_HAND\)/);
  const [enabled] = await Promise.all([run('enable', id), run('replay', id, '--from', '1')]);
  assert.equal(enabled.enabled, true);
  assert.partialDeepStrictEqual((await run<Webhook[]>('list')).at(-1), { id: made.id, enabled: true });
});

/** The command was called wrongly: exit code 2, and one line that says what is wrong. */
function assertMisused({ code, stderr }: { code: number | null; stderr: string }, says: RegExp): void {
  assert.match(stderr, says);
  assert.equal(code, 2, stderr);
  assert.equal(stderr.trimEnd().split('\n').length, 1, stderr);
}

test('what cannot be done is said in one line, with what to do', async () => {
  const { id } = await run<WebhookWithSecret>('create', 'http://127.0.0.1:9/');
  const [unknown, forbidden, moved, nothing, both, noEvent, nowhere, odd, failing] = await Promise.all([
    show('rotate', '999'),
    show('create', 'http://169.254.169.254/'),
    show('update', String(id), '--url', 'http://10.0.0.1/'),
    show('replay', String(id)),
    show('replay', String(id), '--from', '1', '--event', 'evt_1_1'),
    show('replay', String(id), '--event', 'evt_1_x'),
    giftwire(['webhook', 'list', '--workspace', '999'], env),
    show('update', String(id), '--ordering', 'some'),
    show('test', String(id)),
  ]);
  assertFailed(unknown, /no webhook with this id in this workspace: list its webhooks/);
  assertMisused(forbidden, /url cannot be used: 169\.254\.169\.254 is link-local/);
  assertMisused(moved, /GIFTWIRE_WEBHOOK_NETWORKS/);
  assertMisused(nothing, /either --event evt_1_42, for one event, or --from 40/);
  assertMisused(both, /either --event/);
  assertFailed(noEvent, /no event with this id in this workspace/);
  assertFailed(nowhere, /999/);
  assert.equal(odd.code, 2);
  assert.match(odd.stderr, /none, strict/);
  assert.equal(failing.code, 1, 'a sample that is not taken gives exit code 1');
  assert.match(failing.stdout, /outcome/);
});
