import type { Command } from 'commander';
import { startHistory } from '../../ground/database/history.ts';
import { print } from './output.ts';
import { withDatabase } from './session.ts';

export function addRestoredCommand(program: Command): void {
  program
    .command('restored')
    .description('continue ids and numbers far ahead, after the database was reset to a snapshot of its disk')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const history = await withDatabase((database) => startHistory(database, 'an operator said that it was restored'));
      print(
        json,
        history,
        () => `A new history has started (${history.id}). Ids and numbers continue above ${history.base}.`,
      );
    });
}
