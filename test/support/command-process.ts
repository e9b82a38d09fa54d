import { setTimeout as sleep } from 'node:timers/promises';
import { main } from '../../src/main.ts';

// The process in which runInTurn of commands-in-turn.ts runs commands.

export interface Asked {
  args: string[];
  env: Record<string, string>;
  /** Written to both pipes after all that the command has written; to that of errors with the exit code before it. */
  end: string;
}

/** Only something that nobody closes takes so long. */
const longestClosingMs = 20_000;

// They open on first use.
void [process.stdout, process.stderr];

process.on('message', async ({ args, env, end }: Asked) => {
  const openBefore = process.getActiveResourcesInfo();
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = undefined;
  await main(args);
  await closed(openBefore.length);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal);
  process.stdout.write(end);
  process.stderr.write(`\0${process.exitCode ?? 0}${end}`);
});
process.on('disconnect', () => process.exit());

/** As a process of its own would not end before. */
async function closed(openBefore: number): Promise<void> {
  const deadline = Date.now() + longestClosingMs;
  const opened = () => process.getActiveResourcesInfo().slice(openBefore);
  while (opened().length > 0 && Date.now() < deadline) await sleep(2);
  if (opened().length === 0) return;
  console.error(`The command leaves something open: ${opened().join(', ')}.`);
  process.exitCode = 1;
}
