import type { Command } from 'commander';
import { Failure } from '../../ground/errors.ts';
import { applyErasedFile, type Compared, declareNoneErased } from '../../insight/rights/erase-again.ts';
import { listText, readErasedList, writeErasedFile } from '../../insight/rights/erased-list.ts';
import { counted, print } from './output.ts';
import { withDatabase } from './session.ts';

/** Commands for the list of erased people, which is kept outside of the database and applied again after a restore. */
export function addErasureCommands(program: Command): void {
  const erasures = program
    .command('erasures')
    .description('keep the list of erased people, and apply it after a restore');

  erasures
    .command('list')
    .description('print the ids of all people who were erased, for a file that is kept apart from the database')
    .option('--to <file>', 'write it into a file, with the ids that the file has already')
    .action(async ({ to }: { to?: string }) => {
      const list = await withDatabase((database) => readErasedList(database));
      if (to === undefined) return void process.stdout.write(listText(list));
      await writeErasedFile(to, list);
      process.stdout.write(`Written: ${to}, with ${counted(list.erased.length, 'record')} of this database.\n`);
    });

  erasures
    .command('apply')
    .argument('[list]', 'a file that "giftwire erasures list" or the service has written')
    .description('erase the listed people again, after a restore. Stop all nodes first')
    .option('--none', 'say that no person was erased after the backup')
    .option('--json', 'print one JSON object')
    .action(async (file: string | undefined, { none, json }: { none?: boolean; json?: boolean }) => {
      if ((file === undefined) === (none === undefined))
        throw new Failure('invalid', 'Name a list of erased people, or say --none.');
      const compared = await withDatabase((database) =>
        file === undefined ? declareNoneErased(database) : applyErasedFile(database, file),
      );
      print(json, compared, () =>
        none ? 'Noted: no person was erased after the backup. You can start the service.' : describeAgain(compared),
      );
    });
}

export function describeAgain({ erased, unclear }: Compared): string {
  const again =
    erased === 0
      ? 'No person on the list had to be erased again.'
      : `Erased again: ${counted(erased, 'person', 'people')}.`;
  return unclear === 0
    ? again
    : `${again} ${counted(unclear, 'listed record')} belong to other people here: see docs/operate.md.`;
}
