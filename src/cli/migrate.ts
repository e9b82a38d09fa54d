import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { claimEnvironment } from '../database/environment.ts';
import { migrate, pendingMigrations } from '../database/migrate.ts';
import { print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date; "serve" does so by itself')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      await withRawDatabase(readConfig(), async (database, config) => {
        const applied = await pendingMigrations(database);
        await migrate(database);
        await claimEnvironment(database, config.environment);
        print(json, { applied }, () =>
          applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
        );
      });
    });
}
