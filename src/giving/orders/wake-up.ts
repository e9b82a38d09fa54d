import type { Fulfilment } from './fulfilment.ts';

/** Wakes the workspaces that a notification of acceptance names (`queueSql`); all that have waiting orders where it names none. */
export async function wakeNamed(fulfilment: Fulfilment, names: string | null): Promise<void> {
  const named = (names ?? '').split('\n').map((line) => /^(\d+) (\d+)$/.exec(line));
  if (named.includes(null)) await fulfilment.wakeAll();
  else for (const found of named) fulfilment.wake(Number(found?.[1]), Number(found?.[2]));
}
