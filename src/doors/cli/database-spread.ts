import type { Command } from 'commander';
import { readConfig } from '../../ground/config/config.ts';
import { checkEnvironment } from '../../ground/database/environment.ts';
import { migrate } from '../../ground/database/migrate.ts';
import { pools } from '../../ground/database/pools.ts';
import { type SpreadTable, spreadDatabase } from '../../ground/database/spread.ts';
import { counted, print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addSpreadCommand(database: Command): void {
  database
    .command('spread')
    .description(
      'distribute the workspaces over the servers of a Citus cluster, whose coordinator DATABASE_URL names; once, with all nodes stopped. Repeating it changes nothing',
    )
    .option('--json', 'print one JSON object')
    .action(spread);
}

async function spread({ json }: { json?: boolean }): Promise<void> {
  const began = performance.now();
  const tables = await withRawDatabase(
    readConfig(),
    async (database, config) => {
      await migrate(database, undefined, { say: (message) => console.error(message) });
      await checkEnvironment(database, config.environment);
      return spreadDatabase(database, ({ table, place }) => console.error(`${table.padEnd(24)} ${places[place]}`));
    },
    pools.longCommands,
    { isAlone: true },
  );
  const seconds = Math.round((performance.now() - began) / 1_000);
  print(json, { tables, seconds }, () => describe(tables, seconds));
}

const places: Readonly<Record<SpreadTable['place'], string>> = {
  workspace: 'by workspace',
  everywhere: 'a copy on every server',
  coordinator: 'on the coordinator',
};

function describe(tables: readonly SpreadTable[], seconds: number): string {
  if (tables.every(({ place, wasThere }) => wasThere || place === 'coordinator'))
    return 'All tables are spread already. Nothing was changed.';
  const count = (place: SpreadTable['place']) => tables.filter((one) => one.place === place).length;
  return [
    `Spread ${counted(count('workspace'), 'table')} by workspace in ${seconds} s. Every server has a copy of ${count('everywhere')}, and ${count('coordinator')} stay on the coordinator.`,
    'Start Giftwire again. Later migrations place their tables in the same way.',
  ].join('\n');
}
