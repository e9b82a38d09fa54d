import { createHash, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { parseBackupKey } from '../config/texts.ts';
import { Failure } from '../errors.ts';

/** Creates a key file that only its owner can read. An existing file is never overwritten: a backup may need it. */
export async function createKeyFile(file: string): Promise<void> {
  const text = `${randomBytes(32).toString('base64url')}\n`;
  await writeFile(file, text, { mode: 0o600, flag: 'wx', flush: true }).catch((cause: NodeJS.ErrnoException) => {
    const problem = cause.code === 'EEXIST' ? 'exists already' : `cannot be written (${cause.code})`;
    throw new Failure('setup', `${file} ${problem}: name another file.`, { cause });
  });
}

export async function readKeyFile(file: string): Promise<Buffer> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Failure('setup', `The key file ${file} cannot be read (${cause.code}).`, { cause });
  });
  return parseBackupKey(text.trim(), file);
}

/**
 * Without a key, a backup is sealed with one that everyone can derive: then the seals only detect damage. The header is part of the
 * derivation, so a changed header is noticed too.
 */
export function keyOfFile(key: Buffer | null, salt: string, header: Uint8Array): Buffer {
  const info = createHash('sha256').update(header).digest();
  return Buffer.from(hkdfSync('sha256', key ?? Buffer.alloc(32), Buffer.from(salt, 'base64url'), info, 32));
}

/** Tells one key from another, and says nothing about it. */
export function markOf(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'giftwire backup: mark', 6)).toString('hex');
}
