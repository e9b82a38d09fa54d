import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { type GiftSettings, readGiftSettings } from '../../company/workspaces/gift-settings.ts';
import { createWorkspace, listWorkspaces, readWorkspace, type Workspace } from '../../company/workspaces/workspaces.ts';
import type { Queryable } from '../../ground/database/database.ts';
import { claimEnvironment } from '../../ground/database/environment.ts';
import { Failure } from '../../ground/errors.ts';
import { languageRegion, nameText, positiveInteger } from './arguments.ts';
import { giftwire } from './call.ts';
import {
  changesGifts,
  describeGiftSettings,
  type GiftSettingOptions,
  saveSettings,
  withGiftSettings,
} from './gift-settings.ts';
import { fields, print, table } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface Options extends GiftSettingOptions {
  json?: boolean;
  name?: string;
  account?: number;
  language?: string;
  unknownEmployeeNumbers?: 'accept' | 'refuse';
  leavers?: 'accept' | 'refuse';
  shoutoutApproval?: 'required' | 'none';
  selfRecognition?: 'allow' | 'refuse';
  erasure?: 'pause' | 'two-people';
}

export function addWorkspaceCommands(program: Command): void {
  const workspace = program.command('workspace').description('create, change and list workspaces');

  withSettings(workspace.command('create').description('create a workspace'), 'EN_CA')
    .requiredOption('--name <name>', 'its name', nameText)
    .option('--account <id>', 'the account that owns it (default: a new one)', positiveInteger)
    .action(async ({ json, name = '', account, language = 'EN_CA', ...policies }: Options) => {
      const created = await withDatabase((database, { environment }) =>
        database.transaction(async (tx) => {
          await claimEnvironment(tx, environment);
          const { id } = await createWorkspace(tx, atTheCommandLine, {
            name,
            language,
            refusesUnknownEmployeeNumbers: false,
            ...policyChange(policies),
            ...(account !== undefined && { accountId: account }),
          });
          await saveSettings(tx, id, {}, policies);
          return readShown(tx, id);
        }),
      );
      print(json, created, () => describe(created));
    });

  withSettings(workspace.command('update').description("change a workspace's settings"), 'unchanged')
    .argument('<id>', 'its id', positiveInteger)
    .option('--name <name>', 'its name', nameText)
    .action(async (id: number, { json, name, language, ...policies }: Options) => {
      const change = {
        ...(name !== undefined && { name }),
        ...(language !== undefined && { language }),
        ...policyChange(policies),
      };
      if (Object.keys(change).length === 0 && !changesGifts(policies))
        throw new Failure('invalid', 'Say what to change, for example --name or --leavers: --help lists the settings.');
      const updated = await inTransaction(async (tx) => {
        await saveSettings(tx, id, change, policies);
        return readShown(tx, id);
      });
      print(json, updated, () => describe(updated));
    });

  workspace
    .command('list')
    .description('list the workspaces')
    .option('--json', 'print one JSON array')
    .action(async ({ json }: Options) => {
      const workspaces = await withDatabase(listWithGiftSettings);
      print(json, workspaces, () =>
        workspaces.length === 0
          ? `There is no workspace yet: ${giftwire} workspace create --name "Acme"`
          : table(
              [
                'Id',
                'Name',
                'Account',
                'Language',
                'Unknown employee numbers',
                'Gifts to leavers',
                'Shoutout approval',
                'Self-recognition',
              ],
              workspaces.map((one) => [
                one.id,
                one.name,
                one.accountId,
                one.language,
                ...Object.values(policiesOf(one)),
              ]),
            ),
      );
    });
}

type Shown = Workspace & { gifts: GiftSettings };

async function readShown(on: Queryable, id: number): Promise<Shown> {
  return { ...(await readWorkspace(on, id)), gifts: await readGiftSettings(on, id) };
}

async function listWithGiftSettings(database: Queryable): Promise<Shown[]> {
  const workspaces = await listWorkspaces(database);
  return Promise.all(workspaces.map(async (one) => ({ ...one, gifts: await readGiftSettings(database, one.id) })));
}

function withSettings(command: Command, otherwise: string): Command {
  return withGiftSettings(command)
    .option('--language <LL_CC>', `its language, for example FR_CA (default: ${otherwise})`, languageRegion)
    .addOption(
      command
        .createOption('--unknown-employee-numbers <policy>', 'what to do with an order for an unknown number')
        .choices(['accept', 'refuse']),
    )
    .addOption(
      command
        .createOption('--leavers <policy>', 'what to do with an order or a shoutout for a person who has left')
        .choices(['accept', 'refuse']),
    )
    .addOption(
      command
        .createOption('--shoutout-approval <policy>', 'whether a shoutout waits for approval before it counts')
        .choices(['required', 'none']),
    )
    .addOption(
      command
        .createOption('--self-recognition <policy>', 'what to do with a shoutout to oneself')
        .choices(['allow', 'refuse']),
    )
    .addOption(
      command
        .createOption('--erasure <policy>', 'begin erasing a person after a day, or when a second person has agreed')
        .choices(['pause', 'two-people']),
    )
    .option('--json', 'print one JSON object');
}

function policyChange({ unknownEmployeeNumbers, leavers, shoutoutApproval, selfRecognition, erasure }: Options) {
  return {
    ...(unknownEmployeeNumbers && { refusesUnknownEmployeeNumbers: unknownEmployeeNumbers === 'refuse' }),
    ...(leavers && { acceptsLeavers: leavers === 'accept' }),
    ...(shoutoutApproval && { asksForApproval: shoutoutApproval === 'required' }),
    ...(selfRecognition && { allowsSelfRecognition: selfRecognition === 'allow' }),
    ...(erasure && { erasureNeedsTwo: erasure === 'two-people' }),
  };
}

function describe(workspace: Shown): string {
  const { id, name, accountId, language, gifts } = workspace;
  const erasure = workspace.erasureNeedsTwo ? 'two people' : 'pause';
  const settings = { ...policiesOf(workspace), erasure, ...describeGiftSettings(gifts) };
  return fields({ id, name, account: accountId, language, ...settings });
}

function policiesOf(workspace: Workspace) {
  return {
    'unknown employee numbers': workspace.refusesUnknownEmployeeNumbers ? 'refused' : 'accepted',
    'gifts to leavers': workspace.acceptsLeavers ? 'accepted' : 'refused',
    'shoutout approval': workspace.asksForApproval ? 'required' : 'none',
    'self-recognition': workspace.allowsSelfRecognition ? 'allowed' : 'refused',
  };
}
