import { type Command, InvalidArgumentError } from 'commander';
import { findMember } from '../../company/directory/members.ts';
import { mergeMembers } from '../../company/directory/merge.ts';
import {
  type MemberRecord,
  movedBySplit,
  readRecord,
  type SplitPart,
  splitMember,
} from '../../company/directory/split.ts';
import { type CurrentMember, readCurrent } from '../../company/import/current.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { lockWorkspace } from '../../company/workspaces/lock.ts';
import { splitParts } from '../../ground/contract/member-change.ts';
import type { Database } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { checkNotToBeErased } from '../../insight/rights/asked.ts';
import { forWorkspace, nameText } from './arguments.ts';
import { confirm } from './confirm.ts';
import { fields, print } from './output.ts';
import { withDatabase } from './session.ts';

interface RecordOptions {
  workspace: number;
  yes?: boolean;
  json?: boolean;
}

interface SplitOptions extends RecordOptions {
  move: SplitPart[];
  firstName?: string;
  lastName?: string;
}

/** Commands that merge two records of one person, and split a record that two people share. */
export function addRecordCommands(members: Command): void {
  forWorkspace(members.command('merge'))
    .argument('<from>', 'email, employee number or id of the record that is given up')
    .argument('<into>', 'email, employee number or id of the record that remains')
    .description('merge two records of one person; the remaining record gets both addresses and all recognition')
    .option('--yes', 'do not ask: for scripts')
    .action(merge);

  forWorkspace(members.command('split'))
    .argument('<member>', 'email, employee number or id of the record that two people share')
    .description(
      'split a record that two people share: a new record gets the address, the old one keeps the history as a leaver',
    )
    .option('--move <parts>', 'what goes to the new record', splitPartList, [...splitParts])
    .option('--first-name <name>', 'the first name of the person in the old record', nameText)
    .option('--last-name <name>', 'their last name', nameText)
    .option('--yes', 'do not ask: for scripts')
    .action(split);
}

function splitPartList(text: string): SplitPart[] {
  const parts = text.split(',').map((part) => part.trim());
  if (!parts.every((part) => splitParts.includes(part as SplitPart)))
    throw new InvalidArgumentError(`It must be some of ${splitParts.join(', ')}, with commas.`);
  return parts as SplitPart[];
}

async function merge(from: string, into: string, { workspace, yes, json }: RecordOptions): Promise<void> {
  const remaining = await withDatabase(async (database) => {
    const gone = await find(database, workspace, from);
    const kept = await find(database, workspace, into);
    if (gone.id === kept.id) throw new Failure('invalid', 'The two are the same record already.');
    await confirm(describeMerge(gone, kept), yes);
    return database.transaction(async (tx) => {
      await lockWorkspace(tx, workspace);
      await checkNotToBeErased(tx, workspace, [gone.id, kept.id]);
      await mergeMembers(tx, atTheCommandLine, workspace, gone.id, kept.id);
      return (await readCurrent(tx, workspace, [kept.id])).get(kept.id) as CurrentMember;
    });
  });
  print(json, remaining, () => fields({ ...remaining }));
}

async function split(who: string, options: SplitOptions): Promise<void> {
  const { workspace, move, yes, json } = options;
  const { firstName, lastName } = options;
  const names = { ...(firstName !== undefined && { firstName }), ...(lastName !== undefined && { lastName }) };
  const records = await withDatabase(async (database) => {
    const record = await find(database, workspace, who);
    await confirm(describeSplit(record, move, names), yes);
    return database.transaction(async (tx) => {
      const added = await splitMember(tx, atTheCommandLine, workspace, record.id, move, names);
      const current = await readCurrent(tx, workspace, [record.id, added]);
      return { old: current.get(record.id) as CurrentMember, new: current.get(added) as CurrentMember };
    });
  });
  print(
    json,
    records,
    () =>
      `The old record:\n${fields({ ...records.old })}\n\nThe new record:\n${fields({ ...records.new })}\n\n` +
      'Recognition stays with the old record.',
  );
}

async function find(database: Database, workspaceId: number, who: string): Promise<MemberRecord> {
  return readRecord(database, workspaceId, await findMember(database, workspaceId, who));
}

function describeMerge(gone: MemberRecord, kept: MemberRecord): string {
  const takenOver = Object.entries(gone).filter(([name, value]) => {
    const own = kept[name as keyof MemberRecord];
    return value !== null && value !== '' && (own === null || own === '');
  });
  const lines = [
    'These two records become one person. It can be undone for 24 hours.',
    '',
    `Given up:\n${fields(shown(gone))}`,
    '',
    `Remains:\n${fields(shown(kept))}`,
    '',
    `It will have ${gone.recognitions + kept.recognitions} recognitions, and is ${kept.active ? 'here' : 'a leaver'}.`,
  ];
  if (takenOver.length > 0)
    lines.push(`It takes over:\n${fields(Object.fromEntries(takenOver.filter(([name]) => name !== 'managerId')))}`);
  return lines.join('\n');
}

function describeSplit(record: MemberRecord, parts: readonly SplitPart[], names: object): string {
  const moved = movedBySplit(record, parts);
  const stays = Object.entries({ email: record.email, login: record.userName, employeeNumber: record.employeeNumber })
    .filter(([name, value]) => value !== null && !((name === 'login' ? 'userName' : name) in moved))
    .map(([name, value]) => `${name} ${value}`);
  return [
    `This record becomes two people:\n${fields(shown(record))}`,
    '',
    `A new record gets:\n${fields(Object.keys(moved).length > 0 ? { ...moved } : { nothing: null })}`,
    '',
    `Member ${record.id} keeps ${record.recognitions} recognitions${stays.length > 0 ? ` and ${stays.join(', ')}` : ''}, and has left.`,
    ...(Object.keys(names).length > 0 ? [`Its names become:\n${fields({ ...names })}`] : []),
  ].join('\n');
}

function shown({ id, firstName, lastName, email, employeeNumber, userName, active, recognitions }: MemberRecord) {
  const name = `${firstName} ${lastName}`.trim() || null;
  return { id, name, email, employeeNumber, login: userName, active, recognitions };
}
