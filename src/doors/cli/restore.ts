import type { Command } from 'commander';
import { findKeyProblem } from '../../giving/gifts/token-keys.ts';
import { restoreBackup } from '../../ground/backup/restore.ts';
import { readConfig } from '../../ground/config/config.ts';
import { readHistories } from '../../ground/database/history.ts';
import { backupKeyOf, describeKey, type KeyOptions, keyFileOption, unencryptedOption } from './backup.ts';
import { counted, print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into an empty database, all of it or nothing; stop all nodes first')
    .argument('<file>', 'the backup')
    .option(...keyFileOption)
    .option(...unencryptedOption)
    .option('--json', 'print one JSON object')
    .action(async (file: string, { json, ...keyOptions }: KeyOptions & { json?: boolean }) => {
      const config = readConfig();
      const key = await backupKeyOf(keyOptions);
      const { header, rows, leftOut } = await withRawDatabase(config, (database) =>
        restoreBackup(database, file, key, config.environment),
      );
      const { history, problem } = await withRawDatabase(config, async (database) => ({
        history: (await readHistories(database))[0],
        problem: await findKeyProblem(config.tokenKeys, config.dataDir, database),
      }));
      print(json, { createdAt: header.createdAt, key: header.key, rows, leftOut, history, problem }, () =>
        [
          `Restored the backup of ${header.createdAt}: ${counted(rows, 'row')}. Ids and numbers continue above ${history?.base}.`,
          `Encrypted: ${describeKey(header.key)}.`,
          ...(leftOut.length > 0 ? [`Left out tables that are not Giftwire's: ${leftOut.join(', ')}.`] : []),
          problem ?? 'Start the service when the original is stopped: both would send the emails that wait.',
        ].join('\n'),
      );
    });
}
