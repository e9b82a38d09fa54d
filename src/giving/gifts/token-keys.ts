import { createHmac, createSecretKey, type KeyObject, randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseTokenKeys, type TokenKey } from '../../ground/config/texts.ts';
import { type Database, type Queryable, queryOne } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';

/** The secrets that gift tokens derive from, by version. New gifts use the current one; the others keep old gifts valid. */
export interface GiftTokenKeys {
  current: number;
  byVersion: ReadonlyMap<number, KeyObject>;
}

export function giftTokenKeys(keys: readonly TokenKey[]): GiftTokenKeys {
  const byVersion = new Map(keys.map(({ version, secret }) => [version, createSecretKey(Buffer.from(secret))]));
  return { current: keys[0]?.version ?? 1, byVersion };
}

/**
 * Returns the keys of the setting, else the key in the data folder. A first start makes that key, but never for a database
 * that has gifts of another key.
 */
export async function loadKeys(
  setting: readonly TokenKey[] | null,
  dataDir: string,
  database: Queryable,
): Promise<GiftTokenKeys> {
  if (setting !== null) return giftTokenKeys(setting);
  const file = join(dataDir, 'token-key');
  // Asked before the file is read, because another node that starts now writes the file first and registers the key later.
  const registered = await queryOne<{ some: boolean }>(database, 'select exists (select from gift_token_keys) as some');
  const kept = await readKept(file);
  if (kept !== null) return giftTokenKeys(parseTokenKeys(kept, file));
  if (registered.some)
    throw new Failure(
      'setup',
      `The gift token key ${file} is missing, and this database's gifts need it: restore that file from your backup, or set GIFTWIRE_TOKEN_KEY to the original key.`,
    );
  return giftTokenKeys(parseTokenKeys(await makeKey(file, dataDir), file));
}

async function makeKey(file: string, dataDir: string): Promise<string> {
  const draft = `${file}.${randomUUID()}`;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    // A link, unlike a rename, never replaces a file: if two nodes start at once, the first one's key stays.
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
  return (await readKept(file)) as string;
}

async function readKept(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Refuses keys that differ from those this database's gifts were issued with: their tokens would stop working. A version
 * is bound to its key when it becomes the current one, so that a key can be made known to every node before that.
 */
export async function registerKeys(database: Database, keys: GiftTokenKeys): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('insert into gift_token_keys (version, fingerprint) values ($1, $2) on conflict do nothing', [
      keys.current,
      fingerprint(keyOf(keys, keys.current)),
    ]);
    await compareKeys(tx, keys);
  });
}

/** What a start would say of the keys, for a command that changes nothing: null if they are those of the database's gifts. */
export async function findKeyProblem(
  setting: readonly TokenKey[] | null,
  dataDir: string,
  database: Queryable,
): Promise<string | null> {
  const registered = await database.query('select from gift_token_keys limit 1');
  if (registered.length === 0) return null;
  try {
    await compareKeys(database, await loadKeys(setting, dataDir, database));
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

async function compareKeys(database: Queryable, keys: GiftTokenKeys): Promise<void> {
  const bound = await database.query<{ version: number; fingerprint: Buffer }>(
    'select version, fingerprint from gift_token_keys order by version',
  );
  for (const { version, fingerprint: expected } of bound) {
    const key = keys.byVersion.get(version);
    if (!key)
      throw new Failure(
        'setup',
        `GIFTWIRE_TOKEN_KEY lacks version ${version}, which issued gifts still need: list it after the new one, for example "2:new,1:old".`,
      );
    if (!fingerprint(key).equals(expected))
      throw new Failure(
        'setup',
        `GIFTWIRE_TOKEN_KEY version ${version} is not the key that this database's gifts are issued with: set the original one.`,
      );
  }
}

function fingerprint(key: KeyObject): Buffer {
  return createHmac('sha256', key).update('fingerprint').digest();
}

/** Secrets for other purposes than gifts, which derive from the same keys. */
export function deriveSecret(keys: GiftTokenKeys): (purpose: string, keyVersion: number) => Buffer {
  return (purpose, keyVersion) => createHmac('sha256', keyOf(keys, keyVersion)).update(purpose).digest();
}

/** The same with null for a version whose key the server no longer has. */
export function deriveIfKnown(keys: GiftTokenKeys): (purpose: string, keyVersion: number) => Buffer | null {
  return (purpose, keyVersion) => (keys.byVersion.has(keyVersion) ? deriveSecret(keys)(purpose, keyVersion) : null);
}

export function keyOf(keys: GiftTokenKeys, version: number): KeyObject {
  const key = keys.byVersion.get(version);
  if (!key) throw new Error(`the gift token key of version ${version} is missing`);
  return key;
}
