import assert from 'node:assert/strict';
import type { Email } from 'postal-mime';
import { advanceClock, readClock } from '../../src/company/workspaces/clock.ts';
import { dayOfMoment, dueAtOf } from '../../src/giving/automations/due-at.ts';
import { planDigests } from '../../src/giving/delivery/digests/plan.ts';
import type { Database } from '../../src/ground/database/database.ts';
import { addDays, firstOfMonth, weekdayOf } from '../../src/ground/values/calendar.ts';
import { eventually } from './eventually.ts';
import { openCompany } from './feed.ts';
import { headerOf, parseMail } from './mail-server.ts';
import type { TestService } from './service.ts';
import type { TestMailServer } from './smtp.ts';

let companies = 0;

/** A company whose people read the feed, on a Wednesday at noon. Its people have names and addresses of their own. */
export async function openDigests(
  service: TestService,
  mailServer: TestMailServer,
  names: readonly string[],
  opening: Parameters<typeof openCompany>[2] = {},
) {
  const { database } = service;
  const nth = ++companies;
  const { workspace, people } = await openCompany(
    service,
    names.map((name) => `${name}${nth}`),
    opening,
  );
  const clock = clockOf(database, workspace.id);
  await clock.to((today) => nextWeekday(today, 3), 12, 'UTC');
  await planDigests(database);
  const addressOf = (name: string) => `${name}${nth}@example.com`;
  const states = () =>
    database.query<{ kind: string; memberId: number; state: string }>(
      'select kind, member_id as "memberId", state from digest_mails where workspace_id = $1 order by period, kind, member_id',
      [workspace.id],
    );
  return {
    workspace,
    people,
    clock,
    states,
    addressOf,
    named: (name: string) => people[names.indexOf(name)] as (typeof people)[number],
    /** Turns the weekly email on or off. */
    wants: (name: string, digest = true) =>
      (people[names.indexOf(name)] as (typeof people)[number]).ask(200, '/me/preferences', 'PATCH', { digest }),
    /** Queues what is due, and waits until nothing waits to be sent. */
    async send(): Promise<void> {
      await planDigests(database);
      await eventually(states, (rows) => rows.every(({ state }) => ['SENT', 'CANCELLED', 'FAILED'].includes(state)), {
        withinMs: 15_000,
      });
    },
    mailsTo: (name: string): Promise<Email[]> => Promise.all(mailServer.to(addressOf(name)).map(parseMail)),
    async mailTo(name: string): Promise<Email> {
      const mails = await Promise.all(mailServer.to(addressOf(name)).map(parseMail));
      assert.equal(mails.length, 1, `emails to ${name}`);
      return mails[0] as Email;
    },
  };
}

/** The test clock of a workspace. */
export function clockOf(database: Database, workspaceId: number) {
  const now = async () => +(await readClock(database, workspaceId)).now;
  const to = async (dayFrom: (today: string) => string, hour: number, zone: string, minutes = 1) => {
    const at = dueAtOf(dayFrom(dayOfMoment(await now(), zone)), hour, zone) + minutes * 60_000;
    const seconds = (at - (await now())) / 1_000;
    assert.ok(seconds > 0, 'the clock goes forward only');
    await database.transaction((tx) => advanceClock(tx, workspaceId, seconds));
  };
  return {
    to,
    /** The day that it is in UTC. */
    today: async () => dayOfMoment(await now(), 'UTC'),
    /** A day after a digest was due, in one step: the service looks in the background. */
    toTuesday: () => to((today) => addDays(nextWeekday(today, 1), 1), 8, 'UTC'),
    /** Monday, a minute past eight. */
    toMonday: (zone = 'UTC', hour = 8) => to((today) => nextWeekday(today, 1), hour, zone),
    /** The first day of the next month, a minute past eight. */
    toMonth: (zone = 'UTC') => to((today) => firstOfMonth(today, 1), 8, zone),
    passHours: (hours: number) => database.transaction((tx) => advanceClock(tx, workspaceId, hours * 3_600)),
  };
}

/** The next such day after a day. */
function nextWeekday(today: string, weekday: number): string {
  return addDays(today, ((weekday - weekdayOf(today) + 6) % 7) + 1);
}

/** The address behind List-Unsubscribe. */
export function unsubscribeAddress(mail: Email): string {
  assert.equal(headerOf(mail, 'list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const [, address = ''] = /^<([^>]+)>$/.exec(headerOf(mail, 'list-unsubscribe') ?? '') ?? [];
  return address;
}
