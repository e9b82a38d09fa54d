import { dirname } from 'node:path';
import type { Command } from 'commander';
import { findKeyProblem } from '../../giving/gifts/token-keys.ts';
import { restoreBackup } from '../../ground/backup/restore.ts';
import { readConfig } from '../../ground/config/config.ts';
import type { Database } from '../../ground/database/database.ts';
import { readHistories } from '../../ground/database/history.ts';
import { Failure } from '../../ground/errors.ts';
import {
  applyErasedFile,
  applyErasedFolder,
  type Compared,
  declareNoneErased,
  unknown,
} from '../../insight/rights/erase-again.ts';
import { readErasedFile } from '../../insight/rights/erased-list.ts';
import { backupKeyOf, describeKey, type KeyOptions, keyFileOption, unencryptedOption } from './backup.ts';
import { describeAgain } from './erasures.ts';
import { counted, print } from './output.ts';
import { withRawDatabase } from './session.ts';

interface Options extends KeyOptions {
  json?: boolean;
  erased?: string;
  noneErased?: boolean;
}

/** Erases again who was erased after the backup. Null: that is not known, and the service will ask. */
async function eraseListed(
  database: Database,
  backup: string,
  list: string | undefined,
  none = false,
): Promise<Compared | null> {
  if (none) return declareNoneErased(database);
  return list === undefined ? applyErasedFolder(database, dirname(backup)) : applyErasedFile(database, list);
}

export function addRestoreCommand(program: Command): void {
  program
    .command('restore')
    .description('restore a backup into an empty database, all of it or nothing; stop all nodes first')
    .argument('<file>', 'the backup')
    .option(...keyFileOption)
    .option(...unencryptedOption)
    .option('--erased <list>', 'erase these people again; without it, the list beside the backup, if it is there')
    .option('--none-erased', 'say that no person was erased after the backup')
    .option('--json', 'print one JSON object')
    .action(async (file: string, { json, erased, noneErased, ...keyOptions }: Options) => {
      const config = readConfig();
      if (erased !== undefined && noneErased)
        throw new Failure('invalid', 'Name a list with --erased, or say --none-erased.');
      if (erased !== undefined && !(await readErasedFile(erased)))
        throw new Failure('setup', `There is no file ${erased}.`);
      const key = await backupKeyOf(keyOptions);
      const { header, rows, leftOut } = await withRawDatabase(config, (database) =>
        restoreBackup(database, file, key, config.environment),
      );
      const { history, again, problem } = await withRawDatabase(config, async (database) => ({
        history: (await readHistories(database))[0],
        again: await eraseListed(database, file, erased, noneErased),
        problem: await findKeyProblem(config.tokenKeys, config.dataDir, database),
      }));
      print(
        json,
        {
          createdAt: header.createdAt,
          key: header.key,
          rows,
          leftOut,
          history,
          erasedAgain: again?.erased ?? null,
          problem,
        },
        () =>
          [
            `Restored the backup of ${header.createdAt}: ${counted(rows, 'row')}. Ids and numbers continue above ${history?.base}.`,
            `Encrypted: ${describeKey(header.key)}.`,
            ...(leftOut.length > 0 ? [`Left out tables that are not Giftwire's: ${leftOut.join(', ')}.`] : []),
            again === null ? unknown : describeAgain(again),
            problem ?? 'Start the service when the original is stopped: both would send the emails that wait.',
          ].join('\n'),
      );
    });
}
