import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { createKioskCode, revokeKioskCode } from '../../company/access/kiosk-codes.ts';
import { checkAudience } from '../../company/directory/audience-references.ts';
import { findMember } from '../../company/directory/members.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { changeEmployeeSettings, readEmployeeSettings } from '../../company/workspaces/employee-settings.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { deriveIfKnown, loadKeys } from '../../giving/gifts/token-keys.ts';
import type { Audience } from '../../ground/contract/audience.ts';
import type { EmployeeSettings } from '../../ground/contract/employee-settings.ts';
import { Failure } from '../../ground/errors.ts';
import { forWorkspace } from './arguments.ts';
import { fields, print } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

interface SetOptions extends Options {
  access?: 'off' | 'all' | 'audience';
  audience?: string;
  leaverDays?: string;
  names?: 'on' | 'off';
  subjects?: 'on' | 'off';
  gifts?: 'on' | 'off';
  feedGifts?: 'on' | 'off';
  managerDigest?: 'on' | 'off';
}

export function addEmployeeCommands(program: Command): void {
  const employees = program
    .command('employees')
    .description('say which people of the directory sign in, and create their codes for kiosks');

  forWorkspace(employees.command('show').description('show who signs in as an employee')).action(
    async ({ workspace, json }: Options) => {
      const settings = await withDatabase((database) => readEmployeeSettings(database, workspace));
      print(json, settings, () => describe(settings));
    },
  );

  const set = forWorkspace(employees.command('set').description('say who signs in as an employee'));
  set
    .addOption(set.createOption('--access <who>', 'who signs in').choices(['off', 'all', 'audience']))
    .option(
      '--audience <file>',
      'a JSON file with the audience, as {"include":[{"department":"Support"}],"exclude":[]}',
    )
    .option('--leaver-days <n>', 'days in which people who have left can spend their gifts, or "none"')
    .addOption(set.createOption('--names <policy>', 'whether people set their preferred name').choices(['on', 'off']))
    .addOption(
      set
        .createOption('--subjects <policy>', 'whether the subject of the OpenID provider is the externalId of SCIM')
        .choices(['on', 'off']),
    )
    .addOption(
      set.createOption('--gifts <policy>', 'whether people add gifts to their shoutouts').choices(['on', 'off']),
    )
    .addOption(
      set
        .createOption('--feed-gifts <policy>', 'whether the feed says that a gift came, if its sender wants that')
        .choices(['on', 'off']),
    )
    .addOption(
      set
        .createOption('--manager-digest <policy>', 'whether managers are emailed monthly who was not recognized')
        .choices(['on', 'off']),
    )
    .action(async ({ workspace, json, ...typed }: SetOptions) => {
      const change = await changeOf(typed);
      const settings = await inTransaction((tx) =>
        changeEmployeeSettings(tx, atTheCommandLine, workspace, change, checkAudience),
      );
      print(json, settings, () => describe(settings));
    });

  person(employees.command('code').description('create the code of a person for kiosks; it is shown only once')).action(
    async (who: string, { workspace, json }: Options) => {
      const created = await withDatabase(async (database, config) => {
        const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
        const kiosk = { current: keys.current, hashOf: deriveIfKnown(keys) };
        return inWorkspace(database, workspace, async (tx) =>
          createKioskCode(tx, atTheCommandLine, workspace, await findMember(tx, workspace, who), kiosk),
        );
      });
      print(json, created, () =>
        fields({ member: created.memberId, 'employee number': created.employeeNumber, code: created.code }),
      );
    },
  );

  person(employees.command('revoke-code').description('remove the code of a person for kiosks')).action(
    async (who: string, { workspace, json }: Options) => {
      const memberId = await withDatabase((database) =>
        inWorkspace(database, workspace, async (tx) => {
          const id = await findMember(tx, workspace, who);
          await revokeKioskCode(tx, atTheCommandLine, workspace, id);
          return id;
        }),
      );
      print(json, { memberId }, () => `Member ${memberId} has no code for kiosks. Their sessions there have ended.`);
    },
  );
}

function person(command: Command): Command {
  return forWorkspace(command.argument('<member>', 'email, employee number or id of the person'));
}

async function changeOf({
  access,
  audience,
  leaverDays,
  names,
  subjects,
  gifts,
  feedGifts,
  managerDigest,
}: Omit<SetOptions, 'workspace' | 'json'>) {
  const isOn = (policy: 'on' | 'off') => policy === 'on';
  return {
    ...(access !== undefined && { access: access.toUpperCase() as EmployeeSettings['access'] }),
    ...(audience !== undefined && { audience: await readAudience(audience) }),
    ...(leaverDays !== undefined && { leaverDays: leaverDays === 'none' ? null : daysOf(leaverDays) }),
    ...(names !== undefined && { setNames: isOn(names) }),
    ...(subjects !== undefined && { matchesSubject: isOn(subjects) }),
    ...(gifts !== undefined && { givesGifts: isOn(gifts) }),
    ...(feedGifts !== undefined && { feedShowsGifts: isOn(feedGifts) }),
    ...(managerDigest !== undefined && { managerDigest: isOn(managerDigest) }),
  };
}

function daysOf(text: string): number {
  const days = /^\d+$/.test(text) ? Number(text) : 0;
  if (days < 1 || days > 3_650) throw new Failure('invalid', '--leaver-days must be 1 to 3650, or "none"');
  return days;
}

async function readAudience(path: string): Promise<Audience> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Failure('invalid', `${path} cannot be read (${cause.code}): name a JSON file.`, { cause });
  });
  const read = parsed(text);
  if (!read || !Array.isArray(read.include) || !Array.isArray(read.exclude))
    throw new Failure('invalid', `${path} must have {"include":[…],"exclude":[…]}.`);
  return read as Audience;
}

function parsed(text: string): Partial<Audience> | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describe({
  access,
  audience,
  leaverDays,
  setNames,
  matchesSubject,
  givesGifts,
  feedShowsGifts,
  managerDigest,
}: EmployeeSettings): string {
  return fields({
    'employees sign in': { OFF: 'no', ALL: 'all', AUDIENCE: 'those of the audience' }[access],
    audience: audience === null ? 'none' : JSON.stringify(audience),
    'people who have left': leaverDays === null ? 'no access' : `${leaverDays} days`,
    'people set their names': setNames ? 'yes' : 'no',
    'subjects are external ids': matchesSubject ? 'yes' : 'no',
    'gifts with shoutouts': givesGifts ? 'yes' : 'no',
    'the feed shows gifts': feedShowsGifts ? 'if the sender does' : 'no',
    'monthly email to managers': managerDigest ? 'yes' : 'no',
  });
}
