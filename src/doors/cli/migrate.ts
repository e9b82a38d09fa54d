import type { Command } from 'commander';
import { readConfig } from '../../ground/config/config.ts';
import { checkEnvironment } from '../../ground/database/environment.ts';
import { migrate } from '../../ground/database/migrate.ts';
import { readSchema } from '../../ground/database/schema.ts';
import { print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date; "serve" does this at every start')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      await withRawDatabase(readConfig(), async (database, config) => {
        const { isNew, pending: applied } = await readSchema(database);
        if (!isNew) await checkEnvironment(database, config.environment);
        await migrate(database);
        await checkEnvironment(database, config.environment);
        print(json, { applied }, () =>
          applied.length === 0 ? 'The schema is up to date.' : `Applied ${applied.join(', ')}.`,
        );
      });
    });
}
