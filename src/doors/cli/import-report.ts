import type { ListedChange } from '../../company/import/changes.ts';
import { type Field, headersText } from '../../company/import/columns.ts';
import type { ImportOutcome, Stopped } from '../../company/import/import.ts';
import type { CountedText } from '../../company/import/text-counts.ts';
import type { DateOrder } from '../../ground/sheets/date-order.ts';
import { cell, counted } from './output.ts';

interface Told {
  dryRun: boolean;
  /** Whether --map was given: importing the rejected rows needs the same --map. */
  hasMap: boolean;
  rejectedFile: string;
  changesFile: string | undefined;
}

/** What an import did, or would do, in sentences. */
export function describeImport(outcome: ImportOutcome, told: Told): string {
  const hasRejected = outcome.rejected + outcome.withoutManager > 0;
  return [
    ...describeColumns(outcome),
    ...describeTexts(outcome),
    ...((outcome.changes ?? []).length > 0 ? listPeople(outcome.changes ?? []) : []),
    describeCounts(outcome),
    ...describeLeavers(outcome),
    ...(outcome.withoutManager > 0
      ? [`${outcome.withoutManager} of the imported people have an unknown manager.`]
      : []),
    ...(hasRejected ? [`${told.rejectedFile} says why, line by line.`] : []),
    ...(hasRejected && !told.dryRun
      ? [
          `Correct the rows in it and import that file${told.hasMap ? ', with the same --map' : ''}; the other rows are done.`,
        ]
      : []),
    ...(told.changesFile === undefined ? [] : [`${told.changesFile} lists all people who are added or changed.`]),
    ...(outcome.stopped ? [describeStop(outcome.stopped, told.dryRun)] : []),
    ...(told.dryRun ? ['This was a dry run: nothing was changed.'] : []),
  ].join('\n');
}

function describeColumns({ columns, notUnderstood, superseded, dateOrder }: ImportOutcome): string[] {
  const read = Object.entries(columns).map(([field, header]) => `${field} from "${header}"`);
  const lines = [`Columns read: ${read.join(', ')}.`];
  if (dateOrder !== null)
    lines.push(`Dates read as ${orderNames[dateOrder]}, because other dates of the file prove it.`);
  if (superseded.length > 0) lines.push(`Left out, because another column says the same: ${superseded.join(', ')}.`);
  if (notUnderstood.length > 0)
    lines.push(`Not understood, left out: ${notUnderstood.join(', ')}. Known: ${headersText}.`);
  return lines;
}

const orderNames: Record<DateOrder, string> = { dayFirst: 'day/month/year', monthFirst: 'month/day/year' };

/** Texts that a person has to look at. */
function describeTexts(outcome: ImportOutcome): string[] {
  const { openColumns, unknownStatuses, placeholders, unknownManagers, columns } = outcome;
  const named = (texts: CountedText[]) =>
    texts
      .map(
        ({ field, text, rows }) => `"${cell(text)}" in ${columns[field as Field] ?? field} (${counted(rows, 'row')})`,
      )
      .join(', ');
  return [
    ...openColumns.map(
      ({ header, values }) =>
        `"${header}"${values.length > 0 ? ` (${values.join(', ')})` : ''} seems to say who has left. Before the import, say what it ` +
        `is with --map "${header}=status", or with --map "${header}=ignore".`,
    ),
    ...(unknownStatuses.length > 0
      ? [`Not understood, and their rows are rejected: ${named(unknownStatuses)}. Say what they mean with --status.`]
      : []),
    ...(placeholders.length > 0
      ? [`Read as empty, so that what is stored stays: ${named(placeholders)}. If one is a value, say so with --value.`]
      : []),
    ...(unknownManagers.length > 0
      ? [
          `Managers who are named only, and not found: ${namedManagers(unknownManagers)}. A name has to be that of one person in the ` +
            'file and the directory: write an email address, an employee number or "Name (number)".',
        ]
      : []),
  ];
}

function namedManagers(managers: ImportOutcome['unknownManagers']): string {
  const shown = managers
    .slice(0, shownPeople)
    .map(({ name, people, rows }) => `${cell(name)} (${people} people have this name, ${counted(rows, 'row')})`);
  return [...shown, ...(managers.length > shownPeople ? [`and ${managers.length - shownPeople} more`] : [])].join(', ');
}

function describeCounts(outcome: ImportOutcome): string {
  const { rows, added, changed, unchanged, repeated, rejected, leaving, returning } = outcome;
  const moves = [...(leaving > 0 ? [`${leaving} leave`] : []), ...(returning > 0 ? [`${returning} return`] : [])];
  const counts = [
    `${added} added`,
    `${changed} changed${moves.length > 0 ? ` (${moves.join(', ')})` : ''}`,
    `${unchanged} unchanged`,
    ...(repeated > 0 ? [`${repeated} repeated`] : []),
    `${rejected} rejected`,
  ];
  return `${counted(rows, 'row')}: ${counts.join(', ')}.`;
}

function describeLeavers({ heldBack, leaversWithoutAsking }: ImportOutcome): string[] {
  if (heldBack === 0) return [];
  return [
    `${heldBack} people would leave, and without --allow-leavers at most ${leaversWithoutAsking} do: none of them was ` +
      `marked as left. If the file is right, import it with --allow-leavers ${heldBack}.`,
  ];
}

function describeStop({ doneToLine, rowsLeft, managersLeft, leaversLeft }: Stopped, dryRun: boolean): string {
  const verb = dryRun ? 'was read' : 'is done';
  const done = doneToLine > 0 ? `The file ${verb} up to line ${doneToLine}` : 'Nothing of the file was taken';
  const open = [
    ...(rowsLeft > 0 ? [`${rowsLeft} rows with a former address`] : []),
    ...(managersLeft > 0 ? [`${managersLeft} managers`] : []),
    ...(leaversLeft > 0 ? [`${leaversLeft} leavers`] : []),
  ];
  const left = open.length > 0 ? `, except for ${open.join(' and ')} that come last` : '';
  return `Stopped. ${done}${left}. Import the same file again: rows that are done change nothing.`;
}

const shownPeople = 10;
const headings = [
  ['added', 'Added'],
  ['changed', 'Changed'],
  ['leaves', 'Leaving'],
  ['heldBack', 'Not made leavers without --allow-leavers'],
  ['returns', 'Returning'],
] as const;

/** The first people of each kind; --changes and --json list all of them. */
function listPeople(changes: readonly ListedChange[]): string[] {
  const kinds = Map.groupBy(changes, ({ change }) => change);
  const lines = headings.flatMap(([kind, heading]) => {
    const people = kinds.get(kind) ?? [];
    const more = people.length - shownPeople;
    return [
      ...(people.length > 0 ? [`${heading} (${people.length}):`] : []),
      ...people.slice(0, shownPeople).map(personLine),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ];
  });
  const isCut = [...kinds.values()].some(({ length }) => length > shownPeople);
  return isCut ? [...lines, 'All of them: --changes <file>, or --json.'] : lines;
}

function personLine({ line, email, employeeNumber, firstName, lastName, fields }: ListedChange): string {
  const keys = [email, employeeNumber].filter((key) => key !== null && key !== undefined).join(', ');
  const name = [firstName, lastName].filter(Boolean).join(' ');
  const who = name === '' ? keys : `${name} (${keys})`;
  return cell(`  line ${line}: ${who}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`);
}
