import type { WorkspaceGrant } from '../../../../company/access/grants.ts';
import { readClock } from '../../../../company/workspaces/clock.ts';
import { advanceTime, daySeconds } from '../../../../giving/automations/advance.ts';
import { AdvancedClock, Clock, ClockAdvance, clockSchemas } from '../../../../ground/contract/clock.ts';
import { noQuery } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { Failure } from '../../../../ground/errors.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

/** A proxy or the service itself would end a request that takes much longer. */
const longestMs = 10_000;

const clockRoutes: Routes = async (app, { environment, lookUps, automations }) => {
  const clockOf = async (on: Queryable, workspace: WorkspaceGrant) => {
    const canMove = environment === 'test' && workspace.scopes.includes('settings:manage');
    const { now, aheadSeconds } = await readClock(on, workspace.workspaceId);
    return { at: now.toISOString(), aheadDays: aheadSeconds / daySeconds, canMove };
  };

  operation(app, 'getClock', 'GET /', 'settings:read', {
    summary: "Get the workspace's time",
    description: 'By this time gifts expire, budgets lapse and automations act. The operation takes no parameters.',
    query: noQuery,
    returns: json("The workspace's time.", Clock),
    handler: ({ caller }) => clockOf(lookUps, caller.workspace),
  });

  operation(app, 'advanceClock', 'POST /advance', 'settings:manage', {
    summary: "Move the workspace's time forward",
    description:
      'In the test environment, to see reminders, expiry and automations. In production: 403. The time never goes back. With automations that are on, the days pass one by one, which takes a moment for each. After some seconds the response says how many days are left: call again with this number.',
    body: ClockAdvance,
    returns: json("The workspace's time.", AdvancedClock),
    handler: async ({ workspaceId, caller, actor, body }) => {
      if (environment === 'production')
        throw new Failure('forbidden', 'The time can be moved in the test environment only.');
      const left = await advanceTime(automations, actor, workspaceId, body.days * daySeconds, longestMs);
      return { ...(await clockOf(lookUps, caller.workspace)), daysLeft: left / daySeconds };
    },
  });
};

export const clock: Resource = {
  prefix: '/clock',
  tag: { name: 'Clock', description: "The workspace's time, which the test environment can move." },
  schemas: clockSchemas,
  routes: clockRoutes,
};
