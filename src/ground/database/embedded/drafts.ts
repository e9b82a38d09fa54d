import { randomUUID } from 'node:crypto';
import { chown, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { SystemAccount } from './account.ts';

// Earlier versions named a draft after the process that made it.
const draftName = /^postgres\.new-/;
const sweptName = /^postgres\.swept-/;
const touchEveryMs = 1_000;

/** A draft that its start has not touched for so long was left behind. */
export const abandonedAfterMs = 15_000;

/**
 * Runs work in a new folder with a random name, because in a container every start may have the same process id. The
 * folder is touched as long as the work lasts.
 */
export async function withDraft(
  dataDir: string,
  account: SystemAccount | null,
  work: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = join(dataDir, `postgres.new-${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  const touching = setInterval(() => {
    const now = new Date();
    utimes(draft, now, now).catch(() => {});
  }, touchEveryMs);
  try {
    if (account) await chown(draft, account.uid, account.gid);
    await work(draft);
  } finally {
    clearInterval(touching);
    await remove(draft);
  }
}

/** Removes the drafts of starts that were killed, and leaves those of starts that are under way. */
export async function sweepDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (sweptName.test(name)) await remove(join(dataDir, name));
    else if (draftName.test(name) && (await isAbandoned(join(dataDir, name)))) await sweep(dataDir, name);
  }
}

async function isAbandoned(draft: string): Promise<boolean> {
  const touched = await stat(draft).catch(() => null);
  return touched !== null && Math.abs(Date.now() - touched.mtimeMs) > abandonedAfterMs;
}

/** Renamed first: if its start still runs, it cannot mistake a folder with some files missing for a complete one. */
async function sweep(dataDir: string, name: string): Promise<void> {
  const swept = join(dataDir, `postgres.swept-${randomUUID()}`);
  const isOurs = await rename(join(dataDir, name), swept).then(
    () => true,
    () => false,
  );
  if (isOurs) await remove(swept);
}

/** An initdb that outlived its start may still write into the folder; a later sweep removes what is left then. */
async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
}
