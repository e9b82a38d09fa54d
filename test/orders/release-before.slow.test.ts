import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrate } from '../../src/ground/database/migrate.ts';
import { checkLedger } from '../support/budgets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/eventually.ts';
import { aGift, anOrder } from '../support/orders.ts';
import { checkOutPreviousRelease, NoHistory } from '../support/previous-release.ts';
import { makeDataDir, serveWith, shellEnv } from '../support/process.ts';
import { restoreRelease } from '../support/releases.ts';
import { startService } from '../support/service.ts';
import releasesJson from '../upgrades/releases.json' with { type: 'json' };

const release = Object.keys(releasesJson).at(-1) as string;
const folder = await mkdtemp(join(tmpdir(), 'giftwire-release-'));
cleanUp(() => rm(folder, { recursive: true }));
const skip = await checkOutPreviousRelease(folder).then(
  () => false as const,
  (error) => {
    if (error instanceof NoHistory) return error.message;
    throw error;
  },
);

test('a node of the release before issues gifts that this version accepted: with a sender, and with their own times and languages', {
  skip,
}, async () => {
  const { database, facts } = await restoreRelease(release);
  await migrate(database);
  await database.query(`update api_tokens set scopes = array_append(scopes, 'orders:delegate')`);
  const env = {
    DATABASE_URL: database.url,
    PORT: '0',
    GIFTWIRE_TOKEN_KEY: facts.tokenKey,
    GIFTWIRE_SMTP_URL: 'outbox',
  };
  const old = await serveWith(process.execPath, join(folder, 'bin/giftwire.js'), {
    cwd: folder,
    env: shellEnv({ ...env, GIFTWIRE_DATA_DIR: await makeDataDir() }),
  });
  const api = await startService({ database, tokenKey: facts.tokenKey, role: 'api', mailServer: 'outbox' });
  const headers = { Authorization: `Bearer ${facts.token}`, 'X-Workspace-id': '1', 'Content-Type': 'application/json' };
  const read = async <Body>(url: string, path: string) => {
    const answer = await fetch(`${url}/api/v1/orders${path}`, { headers });
    return (await answer.json()) as Body;
  };
  const send = async (changes: Record<string, unknown>) => {
    const body = JSON.stringify(anOrder(changes));
    const sent = await fetch(`${api.url}/api/v1/orders`, { method: 'POST', headers, body });
    assert.equal(sent.status, 201, await sent.clone().text());
    return ((await sent.json()) as { requestId: string }).requestId;
  };
  const statusOf = async (requestId: string) =>
    (await read<{ requestStatus: string }>(old.url, `/status/${requestId}`)).requestStatus;
  const completed = (requestId: string) =>
    eventually(
      () => statusOf(requestId),
      (status) => status === 'COMPLETED',
    );
  const nils = { email: 'nils.berg@example.com', firstName: 'Nils', lastName: 'Berg' };

  await completed(await send({ orderItems: [aGift({ recipient: nils })] }));
  const own = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const timed = await send({ orderItems: [aGift(), aGift({ deliverAt: own, language: 'FR_CA' })] });
  const delegated = await send({ sender: { email: nils.email } });
  await completed(delegated);
  const { certificates } = await read<{ certificates: { senderName: string }[] }>(old.url, `/${delegated}`);
  assert.equal(certificates[0]?.senderName, 'Nils Berg');
  await completed(timed);
  const mails = await database.query<{ dueAt: Date; language: string | null }>(
    `select m.due_at as "dueAt", c.gift_language as language
       from mails m
       join certificates c using (workspace_id, request_id, position)
      where m.request_id = $1 and m.kind = 'GIFT'
      order by position`,
    [timed],
  );
  assert.deepEqual([mails[1]?.dueAt.toISOString(), mails[1]?.language], [own, 'FR_CA']);
  assert.ok((mails[0]?.dueAt.getTime() ?? Number.POSITIVE_INFINITY) <= Date.now());
  await checkLedger(database);
  await old.end('SIGTERM');
  await api.stop();
});
