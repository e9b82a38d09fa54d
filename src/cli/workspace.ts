import type { Command } from 'commander';
import { createWorkspace, listWorkspaces, updateWorkspace, type Workspace } from '../access/workspaces.ts';
import { claimEnvironment } from '../database/environment.ts';
import { languageRegion, nameText, positiveInteger } from './arguments.ts';
import { fields, print, table } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  json?: boolean;
  name?: string;
  account?: number;
  language?: string;
  unknownEmployeeNumbers?: 'accept' | 'refuse';
}

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('make and list workspaces');

  withSettings(workspace.command('create').description('make a workspace'))
    .requiredOption('--name <name>', 'its name', nameText)
    .option('--account <id>', 'the account that owns it; a new one when absent', positiveInteger)
    .action(async ({ json, name = '', account, language = 'EN_CA', unknownEmployeeNumbers }: Options) => {
      const created = await withDatabase((database, { environment }) =>
        database.transaction(async (tx) => {
          await claimEnvironment(tx, environment);
          return createWorkspace(tx, {
            name,
            language,
            refusesUnknownEmployeeNumbers: unknownEmployeeNumbers === 'refuse',
            ...(account !== undefined && { accountId: account }),
          });
        }),
      );
      print(json, created, () => describe(created));
    });

  withSettings(workspace.command('update').description("change a workspace's settings"))
    .argument('<id>', 'its id', positiveInteger)
    .option('--name <name>', 'its name', nameText)
    .action(async (id: number, { json, name, language, unknownEmployeeNumbers }: Options) => {
      const change = {
        ...(name !== undefined && { name }),
        ...(language !== undefined && { language }),
        ...(unknownEmployeeNumbers && { refusesUnknownEmployeeNumbers: unknownEmployeeNumbers === 'refuse' }),
      };
      const updated = await withDatabase((database) => updateWorkspace(database, id, change));
      print(json, updated, () => describe(updated));
    });

  workspace
    .command('list')
    .description('list the workspaces')
    .option('--json', 'print one JSON array')
    .action(async ({ json }: Options) => {
      const workspaces = await withDatabase(listWorkspaces);
      print(json, workspaces, () =>
        workspaces.length === 0
          ? 'There is no workspace yet: giftwire workspace create --name "Acme"'
          : table(
              ['Id', 'Name', 'Account', 'Language', 'Unknown employee numbers'],
              workspaces.map((one) => [one.id, one.name, one.accountId, one.language, policy(one)]),
            ),
      );
    });
}

function withSettings(command: Command): Command {
  return command
    .option('--language <LL_CC>', 'its language, EN_CA when absent', languageRegion)
    .addOption(
      command
        .createOption('--unknown-employee-numbers <policy>', 'what to do with an order for a number nobody has')
        .choices(['accept', 'refuse']),
    )
    .option('--json', 'print one JSON object');
}

function describe(workspace: Workspace): string {
  const { id, name, accountId, language } = workspace;
  return fields({ id, name, account: accountId, language, 'unknown employee numbers': policy(workspace) });
}

function policy({ refusesUnknownEmployeeNumbers }: Workspace): string {
  return refusesUnknownEmployeeNumbers ? 'refused' : 'accepted';
}
