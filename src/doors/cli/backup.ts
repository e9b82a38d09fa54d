import type { Command } from 'commander';
import { checkBackup, type Summary } from '../../ground/backup/check.ts';
import { createKeyFile, readKeyFile } from '../../ground/backup/key.ts';
import { noteBackup, readBackupTime } from '../../ground/backup/log.ts';
import { writeBackup } from '../../ground/backup/write.ts';
import { readConfig } from '../../ground/config/config.ts';
import { counted, fields, print } from './output.ts';
import { withRawDatabase } from './session.ts';

export interface KeyOptions {
  keyFile?: string;
  unencrypted?: boolean;
}

interface Options extends KeyOptions {
  json?: boolean;
}

export const keyFileOption = ['--key-file <file>', 'the key of the backup; without it GIFTWIRE_BACKUP_KEY'] as const;

export const unencryptedOption = ['--unencrypted', 'accept a file that is not encrypted, and use no key'] as const;

export function addBackupCommands(program: Command): void {
  const backup = program.command('backup').description('write and check backups of the whole database');

  backup
    .command('create', { isDefault: true })
    .description('write a backup while the service runs, and read it again; "create" can be left out')
    .requiredOption('--to <path>', 'a new file, or a folder for one')
    .option(...keyFileOption)
    .option('--json', 'print one JSON object')
    .action(async ({ to, json, ...keyOptions }: Options & { to: string }) => {
      const key = await backupKeyOf(keyOptions);
      const written = await withRawDatabase(readConfig(), async (database) => {
        const now = await readBackupTime(database);
        const done = await writeBackup(database, to, key, { now });
        await noteBackup(database, now, done);
        return done;
      });
      print(json, written, () =>
        [
          `Wrote ${written.file} (${sizeOf(written.bytes)}, ${counted(written.rows, 'row')}) and read it again.`,
          key === null
            ? 'It is not encrypted. "giftwire backup key <file>" creates a key, --key-file uses it.'
            : `Its key is ${written.key}: keep the key file, and GIFTWIRE_TOKEN_KEY, elsewhere.`,
        ].join('\n'),
      );
    });

  backup
    .command('key')
    .description('create a key file; backups that are encrypted with it cannot be read without it')
    .argument('<file>', 'a new file')
    .action(async (file: string) => {
      await createKeyFile(file);
      console.log(`Created ${file}. Keep a copy elsewhere: a backup cannot be restored without its key.`);
    });

  backup
    .command('check')
    .description('read a whole backup, and say what it is')
    .argument('<file>', 'the backup')
    .option(...keyFileOption)
    .option(...unencryptedOption)
    .option('--json', 'print one JSON object')
    .action(async (file: string, { json, ...key }: Options) => {
      const summary = await checkBackup(file, await backupKeyOf(key));
      print(json, summary, () => describe(summary));
    });
}

/** The key that a command names, else the setting's. */
export async function backupKeyOf({ keyFile, unencrypted }: KeyOptions): Promise<Buffer | null> {
  if (unencrypted) return null;
  return keyFile === undefined ? readConfig().backupKey : readKeyFile(keyFile);
}

function describe({ createdAt, version, schema, environment, key, tables, rows }: Summary): string {
  const state = fields({
    Created: createdAt,
    Version: version,
    Schema: schema,
    Environment: environment,
    Encrypted: describeKey(key),
    Contents: `${counted(rows, 'row')} in ${counted(tables, 'table')}`,
  });
  return `${state}\nThe backup is complete.`;
}

export function describeKey(key: string | null): string {
  return key === null ? 'no' : `with the key ${key}`;
}

function sizeOf(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
