import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Role, roles } from '../../src/company/access/roles.ts';
import { demoHistory } from '../../src/doors/demo/history.ts';
import { demoPeople } from '../../src/doors/demo/people.ts';
import { readWrongs } from '../support/books.ts';
import { checkLedger } from '../support/budgets.ts';
import { startService } from '../support/service.ts';

const { database } = await startService({ demo: true });

test('the demo uses every feature, and its books agree', async () => {
  assert.deepEqual(await readWrongs(database), []);
  await checkLedger(database);
  const [counts] = await database.query<Record<string, number>>(
    `select (select count(*) from members where workspace_id = 1 and left_at is not null) as leavers,
            (select count(*) from members where workspace_id = 1 and merged_into is not null) as merged,
            (select count(*) from members where workspace_id = 1 and manager_id is not null) as managed,
            (select count(distinct team_id) from team_members where workspace_id = 1) as teams,
            (select count(*) from reasons where workspace_id = 1) as reasons,
            (select count(*) from activities where workspace_id = 1 and status = 'PENDING') as pending,
            (select count(*) from activities where workspace_id = 1 and status = 'DECLINED') as declined,
            (select count(*) from activities where workspace_id = 1 and is_private) as private,
            (select count(*) from activities where workspace_id = 1 and type = 'GIFT') as gifts,
            (select count(*) from certificates where workspace_id = 1 and state = 'ISSUED') as issued,
            (select count(*) from certificates where workspace_id = 1 and state = 'CLAIMED') as claimed,
            (select count(*) from certificates where workspace_id = 1 and state = 'EXPIRED') as expired,
            (select count(*) from certificates where workspace_id = 1 and state = 'CANCELLED') as cancelled,
            (select count(*) from mails where workspace_id = 1 and state = 'FAILED') as failed,
            (select count(*) from mails where workspace_id = 1 and state = 'NO_ADDRESS') as "withoutAddress",
            (select count(*) from mails where workspace_id = 1 and state = 'SCHEDULED') as scheduled,
            (select count(*) from budgets where workspace_id = 1 and announced_percent between 1 and 99) as "lowBudgets",
            (select count(*) from payroll_exports where workspace_id = 1) as "payrollExports",
            (select count(*) from redemptions where workspace_id = 1 and kind = 'PAYROLL' and exported_in is null) as "payrollDue",
            (select count(*) from redemptions where workspace_id = 1 and state = 'REQUESTED') as "openRequests",
            (select count(*) from redemptions where workspace_id = 1 and state = 'REVERSED') as reversed,
            (select count(*) from redemptions where workspace_id = 1 and state = 'DECLINED') as "declinedRequests",
            (select count(distinct date_trunc('month', at)) / 10 from redemptions where workspace_id = 1) as "monthsOfSpending",
            (select count(*) from webhooks where workspace_id = 1) as webhooks,
            (select count(*) from workspaces where id = 1 and shoutouts_need_approval) as "asksForApproval"`,
  );
  for (const [what, count] of Object.entries(counts ?? {})) assert.ok(count > 0, `the demo has no ${what}`);
  const users = await database.query<{ role: Role }>('select role from user_roles where workspace_id = 1');
  assert.deepEqual(users.map(({ role }) => role).sort(), roles.toSorted());
});

test('payroll exports and the audit log of the demo are spread over its year, each entry at its own time', async () => {
  const exports = await database.query<{ month: string; isAudited: boolean; isAfterItsLines: boolean }>(
    `select to_char(e.closed_at, 'YYYY-MM') as month,
            exists (select from audit_log a
                     where a.action = 'payroll.exported' and a.subject_id = e.number::text and a.at = e.closed_at) as "isAudited",
            e.closed_at >= (select max(r.at) from redemptions r where r.exported_in = e.number) as "isAfterItsLines"
       from payroll_exports e
      order by e.number`,
  );
  const months = exports.map(({ month }) => month);
  assert.ok(months.length >= 9, `${months.length} exports`);
  assert.deepEqual(months, [...new Set(months)].sort());
  assert.ok(exports.every(({ isAudited, isAfterItsLines }) => isAudited && isAfterItsLines));
  const [entries] = await database.query<{ months: number; backwards: number; automatic: number }>(
    `select count(distinct date_trunc('month', at)) as months,
            count(*) filter (where at < before) as backwards,
            count(*) filter (where action like 'redemption.%' and actor = 'SYSTEM') as automatic
       from (select *, lag(at) over (order by id) as before from audit_log where workspace_id = 1) entry`,
  );
  assert.ok(entries && entries.months >= 10, `${entries?.months} months`);
  assert.equal(entries.backwards, 0);
  assert.equal(entries.automatic, 0);
});

test('on whatever day it starts, the demo has shoutouts to decide, declined ones and orders of the last month', () => {
  const monthMs = 30 * 86_400_000;
  for (let nth = 0; nth < 53; nth++) {
    // A week and a day later each time: every weekday, in every season.
    const now = Date.UTC(2026, 0, 1 + nth * 8, 9);
    const history = demoHistory(demoPeople(), now);
    const day = new Date(now).toISOString();
    const shoutouts = history.filter((one) => one.kind === 'shoutout');
    assert.equal(shoutouts.filter(({ status }) => status === 'PENDING').length, 5, day);
    assert.ok(
      shoutouts.some(({ status }) => status === 'DECLINED'),
      day,
    );
    assert.ok(
      history.some(({ kind, at }) => kind === 'order' && at.getTime() > now - monthMs),
      day,
    );
  }
});

test('the people of the demo have names of their own, and neighbours have different surnames', () => {
  const people = demoPeople();
  assert.equal(new Set(people.map(({ email }) => email)).size, people.length);
  const surnames = people.map(({ lastName }) => lastName);
  for (let nth = 0; nth + 7 <= surnames.length; nth++) assert.equal(new Set(surnames.slice(nth, nth + 7)).size, 7);
});

test('people of the demo who were never recognized have many first names', () => {
  const people = demoPeople();
  const recognized = new Set(
    demoHistory(people, Date.now()).flatMap((one) =>
      one.kind === 'order' ? one.gifts.map(({ receiver }) => receiver) : [one.receiver],
    ),
  );
  const others = people.filter((_, index) => !recognized.has(index));
  assert.equal(others.length, people.length / 5);
  assert.ok(new Set(others.map(({ firstName }) => firstName)).size > 15);
});
