import { randomUUID } from 'node:crypto';
import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { SystemAccount } from './account.ts';
import { administrator, serviceRole } from './roles.ts';

/**
 * Who may connect as whom. The service's role has no rights beyond its database. The superuser is for the system user
 * who runs Giftwire only: the server asks the kernel who is at the other end of the socket.
 */
export async function writeRules(account: SystemAccount | null, clusterDir: string): Promise<void> {
  // The map comes first: rules without it would lock the administrator out.
  await write(account, join(clusterDir, 'pg_ident.conf'), [
    ...systemUsers().map((name) => `administrator "${name}" ${administrator}`),
  ]);
  await write(account, join(clusterDir, 'pg_hba.conf'), [
    `local all ${serviceRole} trust`,
    `local all ${administrator} peer map=administrator`,
  ]);
}

/** A user without a name, as in some containers, cannot be the administrator. Nothing but maintenance needs one. */
function systemUsers(): string[] {
  try {
    return [userInfo().username];
  } catch {
    return [];
  }
}

async function write(account: SystemAccount | null, file: string, lines: string[]): Promise<void> {
  const text = ['# Written by Giftwire at every start.', ...lines, ''].join('\n');
  if (text === (await readFile(file, 'utf8').catch(() => null))) return;
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  if (account) await chown(draft, account.uid, account.gid);
  await rename(draft, file);
}
