import { parseBackupKey, setting } from './texts.ts';

/** The settings about backups. */
export const backupSettings = {
  backupKey: setting<Buffer | null>({
    name: 'GIFTWIRE_BACKUP_KEY',
    default: '',
    meaning: 'Encrypts backups; as a file with GIFTWIRE_BACKUP_KEY_FILE, which `giftwire backup key` creates',
    parse: parseBackupKey,
    absent: null,
  }),
};
