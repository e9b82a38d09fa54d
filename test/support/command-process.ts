import type { EventEmitter } from 'node:events';
import { main } from '../../src/main.ts';
import { within } from './eventually.ts';
import { openedSince, replaceEnvironment } from './leftovers.ts';

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
  const listeners = [process, process.stdout, process.stderr].map(rememberListeners);
  replaceEnvironment(env);
  process.exitCode = undefined;
  await main(args);
  await closed(openBefore);
  for (const removeNew of listeners) removeNew();
  process.stdout.write(end);
  process.stderr.write(`\0${process.exitCode ?? 0}${end}`);
});
process.on('disconnect', () => process.exit());

/** As a process of its own would not end before. */
async function closed(openBefore: string[]): Promise<void> {
  const isClosed = async () => openedSince(openBefore).length === 0;
  if (await within(longestClosingMs, isClosed, 2)) return;
  console.error(`The command leaves something open: ${openedSince(openBefore).join(', ')}.`);
  process.exitCode = 1;
}

/** Returns a function that removes the listeners that were added since: they would have ended with their process. */
function rememberListeners(emitter: EventEmitter): () => void {
  const before = new Map(emitter.eventNames().map((name) => [name, emitter.rawListeners(name)]));
  return () => {
    for (const name of emitter.eventNames())
      for (const listener of emitter.rawListeners(name))
        if (!before.get(name)?.includes(listener)) emitter.removeListener(name, listener as () => void);
  };
}
