import type { Command } from 'commander';
import { backfills } from '../../backfills.ts';
import { planBackfills } from '../../company/workspaces/backfills.ts';
import { readConfig } from '../../ground/config/config.ts';
import { checkEnvironment } from '../../ground/database/environment.ts';
import { migrate } from '../../ground/database/migrate.ts';
import { type PlannedMigration, planMigrations } from '../../ground/database/plan.ts';
import { readSchema, refuseForeignSchema } from '../../ground/database/schema.ts';
import { measureSpeed, type Speed } from '../../ground/database/speed.ts';
import { counted, firstToLast, print } from './output.ts';
import { withRawDatabase } from './session.ts';

export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date; "serve" does this at every start')
    .option('--plan', 'say what would run and about how long, and change nothing')
    .option('--json', 'print one JSON object')
    .action(async ({ plan, json }: { plan?: boolean; json?: boolean }) => {
      await withRawDatabase(readConfig(), async (database, config) => {
        const schema = await readSchema(database);
        refuseForeignSchema(schema);
        const { isNew, pending: applied } = schema;
        if (!isNew) await checkEnvironment(database, config.environment);
        if (plan) {
          const speed = await measureSpeed(database);
          const planned = await planMigrations(database, speed);
          const background = isNew ? [] : await planBackfills(database, backfills);
          return print(json, { migrations: planned, background, speed }, () =>
            describePlan(planned, background, speed),
          );
        }
        await migrate(database, undefined, { say: (message) => console.error(message) });
        await checkEnvironment(database, config.environment);
        print(json, { applied }, () =>
          applied.length === 0
            ? 'The schema is up to date.'
            : `Applied ${counted(applied.length, 'migration')}: ${firstToLast(applied)}.`,
        );
      });
    });
}

function describePlan(
  planned: PlannedMigration[],
  background: { name: string; rows: number; seconds: number }[],
  speed: Speed,
): string {
  const width = Math.max(0, ...planned.map(({ name }) => name.length));
  const lines = planned.map(({ name, kind, statements, seconds, tables }) => {
    const how = kind === 'transaction' ? 'one transaction' : `resumable, ${counted(statements, 'statement')}`;
    const about = tables.length > 0 ? ` (${tables.slice(0, 3).join(', ')})` : '';
    return `${name.padEnd(width)}  ${how.padEnd(15)}  ${duration(seconds)}${about}`;
  });
  const later = background.map(
    ({ name, rows, seconds }) => `${name}: in the background, ${counted(rows, 'row')}, ${duration(seconds)}`,
  );
  if (lines.length === 0) return ['The schema is up to date.', ...later].join('\n');
  return [...lines, whoServes(planned), howEstimated(speed), ...later].join('\n');
}

function whoServes(planned: PlannedMigration[]): string {
  return planned.some(({ needsStop }) => needsStop)
    ? 'Stop all nodes first: migrations up to 0.7.0 hold locks for as long as they run.'
    : 'Nodes of the release before go on serving meanwhile.';
}

function howEstimated({ read, written, isMeasured }: Speed): string {
  const rates = `${Math.round(read / 1e6)} MB/s read and sorted, ${Math.round(written / 1e6)} MB/s written`;
  return isMeasured
    ? `Times are estimated from the sizes of the tables and a short probe of this server (${rates}). Load makes them longer.`
    : `Times are estimated from the sizes of the tables and an ordinary disk (${rates}): this role may not measure the server.`;
}

function duration(seconds: number): string {
  if (seconds < 1) return 'at once';
  return seconds < 100 ? `about ${seconds} s` : `about ${Math.ceil(seconds / 60)} min`;
}
