import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beginRetention, runRetention } from '../../src/company/workspaces/retention.ts';
import { retentions } from '../../src/retention.ts';
import { giftsOf, openGifts } from '../support/gifts.ts';
import { claim } from '../support/redemptions.ts';

const { service } = await openGifts();
const { database } = service;

test('emails to a person on legal hold, and the logs of their gifts, stay', async () => {
  const { workspace, issue, setMail } = await giftsOf(service);
  const [held, other] = (await issue({ email: 'held@example.com' }, { email: 'other@example.com' })) as [
    number,
    number,
  ];
  for (const id of [held, other]) {
    await setMail(id, 'SENT');
    await claim(database, workspace.id, id);
  }
  await database.query(
    `insert into legal_holds
     select workspace_id, member_id, 'Case', '{"is": "CLI", "id": null}', now() from certificates where workspace_id = $1 and id = $2`,
    [workspace.id, held],
  );
  const due = retentions
    .filter(({ kind }) => kind === 'emails' || kind === 'gift-log')
    .map((one) => ({ ...one, runsAs: `${one.runsAs ?? one.kind} of people on hold`, usualDays: 0 }));
  await beginRetention(database, due);
  while (await runRetention(database, due));
  for (const table of ['mails', 'gift_log']) {
    const rows = await database.query<{ id: number }>(
      `select distinct c.id from ${table} t join certificates c using (workspace_id, request_id, position) where workspace_id = $1`,
      [workspace.id],
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      [held],
      table,
    );
  }
});
