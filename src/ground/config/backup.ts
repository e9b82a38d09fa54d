import { resolve } from 'node:path';
import { parseBackupKey, setting, wholeNumber } from './texts.ts';

/** The settings about backups. */
export const backupSettings = {
  backupFolder: setting<string | null>({
    name: 'GIFTWIRE_BACKUP_FOLDER',
    default: '',
    meaning: 'Where a worker writes a backup every night, on the disk of another machine if possible',
    parse: (text) => resolve(text),
    absent: null,
  }),
  backupKey: setting<Buffer | null>({
    name: 'GIFTWIRE_BACKUP_KEY',
    default: '',
    meaning: 'Encrypts backups; as a file with GIFTWIRE_BACKUP_KEY_FILE, which `giftwire backup key` creates',
    parse: parseBackupKey,
    absent: null,
  }),
  backupHour: setting({
    name: 'GIFTWIRE_BACKUP_HOUR',
    default: '2',
    meaning: 'The hour of the nightly backup in UTC, 0 to 23',
    parse: wholeNumber(0, 23),
  }),
  backupKeep: setting({
    name: 'GIFTWIRE_BACKUP_KEEP',
    default: '14',
    meaning: 'How many nightly backups stay in the folder, 1 to 3650; older ones are removed',
    parse: wholeNumber(1, 3_650),
  }),
};
