import { CommanderError } from 'commander';
import { createProgram } from './doors/cli/program.ts';
import { Failure } from './ground/errors.ts';

const failed = 1;
const misused = 2;

/** Runs one command. Exit codes: 0 it worked, 1 it did not, 2 it was called wrongly. */
export async function main(args: string[]): Promise<void> {
  surviveClosedPipes();
  try {
    const program = await createProgram(args[0]);
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** A reader may close a pipe early, as `head` does. The command then finishes its work, and the exit code says how that went. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code === 'EPIPE') return;
      process.exitCode = failed;
      if (stream === process.stdout) console.error(`The output cannot be written (${message}).`);
    });
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
