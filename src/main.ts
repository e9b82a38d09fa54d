import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addDoctorCommand } from './cli/doctor.ts';
import { addEnvCommand } from './cli/env.ts';
import { addMemberCommands } from './cli/members.ts';
import { addMigrateCommand } from './cli/migrate.ts';
import { addOrderCommands } from './cli/order.ts';
import { addReasonCommands } from './cli/reason.ts';
import { addSendCommand } from './cli/send.ts';
import { addServeCommand } from './cli/serve.ts';
import { addTokenCommands } from './cli/token.ts';
import { addWorkspaceCommands } from './cli/workspace.ts';
import { Failure } from './errors.ts';

const failed = 1;
const misused = 2;

/** Runs one command. Exit codes: 0 it worked, 1 it did not, 2 it was called wrongly. */
export async function main(args: string[]): Promise<void> {
  const program = new Command('giftwire')
    .description('A self-hosted gift order service.')
    .version(packageJson.version)
    .showHelpAfterError('(add --help for what there is)')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  const commands = [
    addServeCommand,
    addSendCommand,
    addWorkspaceCommands,
    addTokenCommands,
    addMemberCommands,
    addReasonCommands,
    addOrderCommands,
    addDoctorCommand,
    addMigrateCommand,
    addEnvCommand,
  ];
  for (const add of commands) add(program);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

function databaseAway({ cause }: Failure): string {
  const reason = cause instanceof AggregateError ? cause.errors[0] : cause;
  return `The database cannot be reached (${reason instanceof Error ? reason.message : 'no answer'}): check DATABASE_URL.`;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : misused;
  if (error instanceof Failure) {
    console.error(error.kind === 'unavailable' ? databaseAway(error) : error.message);
    return error.kind === 'invalid' ? misused : failed;
  }
  console.error(error);
  return failed;
}
