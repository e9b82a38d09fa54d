import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { giftsOf } from '../support/gifts.ts';
import { mailStates } from '../support/mail-queue.ts';
import { giftwire } from '../support/process.ts';
import { claim, spend } from '../support/redemptions.ts';
import { startService } from '../support/service.ts';

const tokenKey = 'k'.repeat(32);
const service = await startService({ tokenKey, mailServer: 'outbox' });
const { database } = service;

test('the audit log has what operators read: gift codes, emails, payroll files and people', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-reads-'));
  cleanUp(() => rm(folder, { recursive: true }));
  const { workspace, issue, gift } = await giftsOf(service);
  const [giftId, otherId] = (await issue({ email: 'ada@example.com' }, { email: 'grace@example.com' })) as number[];
  await mailStates(service, giftId as number, ['GIFT SENT', 'REMINDER SCHEDULED']);
  await claim(database, workspace.id, giftId as number);
  await spend(database, workspace.id, giftId as number, 'payroll', { amount: 5 });
  const env = { DATABASE_URL: database.url, GIFTWIRE_TOKEN_KEY: tokenKey };
  const at = ['--workspace', String(workspace.id)];
  const run = async (...args: string[]) => {
    const { code, stderr } = await giftwire(args, env);
    assert.equal(code, 0, stderr);
  };
  const { requestId } = await gift(giftId as number);
  await run('gift', 'print', join(folder, 'order.html'), '--order', requestId, ...at);
  await run('gift', 'print', join(folder, 'gift.html'), '--ids', String(otherId), ...at);
  await run('outbox', 'list');
  await run('outbox', 'show', String(giftId));
  await run('payroll', 'export', '--json', ...at);
  await run('payroll', 'show', '1', ...at);
  await run('members', 'export', join(folder, 'people.csv'), ...at);
  const entries = await database.query<{ action: string; subject: string | null; detail: { gifts?: number } }>(
    `select action, coalesce(subject_name, subject_id) as subject, detail
       from audit_log
      where workspace_id = $1
        and actor = 'CLI'
      order by id`,
    [workspace.id],
  );
  assert.deepEqual(
    entries.map(({ action, subject, detail: { gifts } }) => [action, subject, gifts]),
    [
      ['gift.printed', requestId, 2],
      ['gift.printed', null, 1],
      ['mail.read', String(giftId), 1],
      ['payroll.exported', '1', undefined],
      ['file.downloaded', 'payroll-1.csv', undefined],
      ['file.downloaded', 'members.csv', undefined],
    ],
  );
});
