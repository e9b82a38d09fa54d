import assert from 'node:assert/strict';
import { advanceClock } from '../../src/company/workspaces/clock.ts';
import { inWorkspace } from '../../src/company/workspaces/lock.ts';
import { nudgeManagers } from '../../src/giving/automations/managers.ts';
import { queueManagerMails } from '../../src/giving/delivery/managers/queue.ts';
import type { Automation, NewAutomation } from '../../src/ground/contract/automation.ts';
import { queryOne } from '../../src/ground/database/database.ts';
import { createInbox } from './approval-mails.ts';
import { eventually } from './eventually.ts';
import type { TestService } from './service.ts';
import type { TestMailServer } from './smtp.ts';
import { openWorkspace } from './workspace.ts';

let teams = 0;

/** A manager with two people, and an automation that is a draft: nothing goes out by itself. Each team has addresses of its own. */
export async function openTeam(
  service: TestService,
  mailServer: TestMailServer,
  changes: Partial<NewAutomation> = {},
  settings: Parameters<typeof openWorkspace>[1] = {},
) {
  const { database } = service;
  const team = `team${++teams}.example.com`;
  const boss = `lucie@${team}`;
  const workspace = await openWorkspace(service, {
    name: 'Northwind Labs',
    ...settings,
    people: [
      { email: boss, firstName: 'Lucie', lastName: 'Gagnon' },
      { email: `ana@${team}`, firstName: 'Ana', lastName: 'Silva' },
      { email: `ben@${team}`, firstName: 'Ben', lastName: 'Okoro' },
      { email: `omar@${team}`, firstName: 'Omar', lastName: 'Haddad' },
    ],
  });
  const [lucie, ana, ben, omar] = workspace.memberIds as [number, number, number, number];
  for (const one of [ana, ben]) await workspace.change(one, { managerId: lucie });
  const body: NewAutomation = {
    name: 'Birthdays',
    trigger: { is: 'BIRTHDAY' },
    action: { is: 'GIFT', currency: 'CAD', amount: 25 },
    messages: { EN: 'Happy birthday, {firstName}!' },
    ...changes,
  };
  const added = await workspace.call<Automation>('/api/v1/automations', { method: 'POST', body });
  assert.equal(added.status, 201, JSON.stringify(added.body));
  const automationId = added.body.id;

  const inbox = createInbox(service, mailServer);
  const occur = async (memberId: number, state: string, forDay = '2026-12-20', askedId: number | null = lucie) => {
    const { id } = await queryOne<{ id: number }>(
      database,
      `insert into occurrences (workspace_id, automation_id, member_id, for_day, state, due_at, asked_member_id, at)
       values ($1, $2, $3, $4::date, $5, $4::date + interval '14 hours', $6, now())
       returning id`,
      [workspace.id, automationId, memberId, forDay, state, askedId],
    );
    return id;
  };
  return {
    workspace,
    automationId,
    inbox,
    boss,
    team,
    ids: { lucie, ana, ben, omar },
    occur,
    /** Asks managers for lines, as the automation does when it writes the occurrences. */
    ask: (...occurrenceIds: number[]) =>
      inWorkspace(database, workspace.id, (tx, moment) =>
        queueManagerMails(tx, { workspaceId: workspace.id, moment, kind: 'LINE', occurrenceIds }),
      ),
    nudge: (...occurrenceIds: number[]) =>
      inWorkspace(database, workspace.id, (tx, moment) =>
        nudgeManagers(tx, queueManagerMails, { workspaceId: workspace.id, moment, occurrenceIds }),
      ),
    /** So that emails no longer wait for further occurrences. */
    gathered: () => database.transaction((tx) => advanceClock(tx, workspace.id, 700)),
    set: (id: number, columns: string) =>
      database.query(`update occurrences set ${columns} where workspace_id = $1 and id = $2`, [workspace.id, id]),
    row: (id: number) =>
      queryOne<{ state: string; reason: string | null; line: string | null; shoutoutNumber: number | null }>(
        database,
        `select state, reason, line, shoutout_number as "shoutoutNumber" from occurrences where workspace_id = $1 and id = $2`,
        [workspace.id, id],
      ),
    mailsAre: (states: string[]) =>
      eventually(
        async () => {
          const rows = await database.query<{ state: string }>(
            'select state from manager_mails where workspace_id = $1 order by occurrence_id, member_id',
            [workspace.id],
          );
          return rows.map(({ state }) => state);
        },
        (found) => JSON.stringify(found) === JSON.stringify(states),
        { withinMs: 15_000 },
      ),
    look: (token: string, headers?: Record<string, string>) => inbox.post('/note/look', { token }, headers),
    press: (token: string, about: number, text: string, headers?: Record<string, string>) =>
      inbox.post('/note', { token, about: String(about), text }, headers),
  };
}
