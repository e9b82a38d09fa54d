import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { addAdminCommands } from './admin.ts';
import { addBudgetCommands } from './budget.ts';
import { addClockCommands } from './clock.ts';
import { addDoctorCommand } from './doctor.ts';
import { addEnvCommand } from './env.ts';
import { addGiftCommands } from './gift.ts';
import { addExamples, helpStyle } from './help.ts';
import { addLedgerCommands } from './ledger.ts';
import { addListenCommand } from './listen.ts';
import { addMemberCommands } from './members.ts';
import { addMigrateCommand } from './migrate.ts';
import { addOrderCommands } from './order.ts';
import { addOutboxCommands } from './outbox.ts';
import { addReasonCommands } from './reason.ts';
import { addSendCommand } from './send.ts';
import { addServeCommand } from './serve.ts';
import { addTokenCommands } from './token.ts';
import { addWebhookCommands } from './webhook.ts';
import { addWorkspaceCommands } from './workspace.ts';

const groups = [
  addServeCommand,
  addSendCommand,
  addWorkspaceCommands,
  addTokenCommands,
  addAdminCommands,
  addMemberCommands,
  addReasonCommands,
  addOrderCommands,
  addGiftCommands,
  addBudgetCommands,
  addLedgerCommands,
  addOutboxCommands,
  addClockCommands,
  addListenCommand,
  addWebhookCommands,
  addDoctorCommand,
  addMigrateCommand,
  addEnvCommand,
];

/** The command line with all its commands. Errors are thrown; commander does not end the process. */
export function createProgram(): Command {
  const program = new Command('giftwire')
    .description('A self-hosted gift order service.')
    .version(packageJson.version)
    .showHelpAfterError('(add --help to see arguments, options and examples)')
    .configureHelp(helpStyle)
    .exitOverride();
  for (const add of groups) add(program);
  addExamples(program);
  return program;
}
