import type { Command } from 'commander';
import { settings } from '../../ground/config/config.ts';
import { print, table } from './output.ts';

export function addEnvCommand(program: Command): void {
  program
    .command('env')
    .description('list every setting with its default')
    .option('--json', 'print one JSON array')
    .action(({ json }: { json?: boolean }) => {
      print(json, settings, () =>
        table(
          ['Setting', 'Default', 'Meaning'],
          settings.map((setting) => [setting.name, setting.default || '–', setting.meaning]),
        ),
      );
    });
}
