import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { readClock } from '../../company/workspaces/clock.ts';
import { advanceTime } from '../../giving/automations/advance.ts';
import type { Engine } from '../../giving/automations/engine.ts';
import { queueManagerMails } from '../../giving/delivery/managers/queue.ts';
import { hasMailServer } from '../../giving/delivery/send/transport.ts';
import { Acceptance } from '../../giving/orders/accept.ts';
import { readPendingLines } from '../../giving/orders/pending-lines.ts';
import { Shoutouts } from '../../giving/recognition/give.ts';
import type { Config } from '../../ground/config/config.ts';
import type { Database } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { commandSteps } from '../../steps.ts';
import { durationMs, forWorkspace } from './arguments.ts';
import { cell, print } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

export function addClockCommands(program: Command): void {
  const clock = program
    .command('clock')
    .description("move a workspace's time forward, to see reminders and expiry in the test environment");

  forWorkspace(clock.command('advance').description('move the time forward; it never goes back'))
    .argument('<duration>', 'how far, for example 8d, 12h or 30m', durationMs)
    .action((duration: number, { workspace, json }: Options) =>
      show(workspace, json, (database, config) =>
        advanceTime(engineOf(database, config), atTheCommandLine, workspace, duration / 1_000),
      ),
    );

  forWorkspace(clock.command('show').description("print the workspace's time")).action(({ workspace, json }: Options) =>
    show(workspace, json),
  );
}

/** The command acts as a worker would between two days. */
function engineOf(database: Database, config: Config): Engine {
  return {
    database,
    acceptance: new Acceptance(database, commandSteps.accept),
    shoutouts: new Shoutouts(database, readPendingLines, commandSteps.shoutouts),
    emailManagers: hasMailServer(config) ? queueManagerMails : null,
  };
}

async function show(
  workspace: number,
  json: boolean | undefined,
  change?: (database: Database, config: Config) => Promise<unknown>,
): Promise<void> {
  const { now, aheadSeconds } = await withDatabase(async (database, config) => {
    if (change && config.environment === 'production')
      throw new Failure('setup', 'The clock can be moved in the test environment only.');
    await change?.(database, config);
    return readClock(database, workspace);
  });
  print(json, { workspace, now, aheadSeconds }, () => `${cell(now)}${aheadText(aheadSeconds)}`);
}

function aheadText(seconds: number): string {
  return seconds === 0 ? '' : `, ${Math.round(seconds / 3_600) / 24} days ahead`;
}
