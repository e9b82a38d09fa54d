import { readShoutoutGrant } from '../../../../../company/access/grant-rows.ts';
import { inWorkspace } from '../../../../../company/workspaces/lock.ts';
import type { Ask } from '../../../../../giving/automations/asks.ts';
import { addLine, nudgeKey } from '../../../../../giving/automations/managers.ts';
import { readOpenAsks } from '../../../../../giving/delivery/managers/due.ts';
import { figuresOfAsk } from '../../../../../giving/delivery/managers/message.ts';
import { Failure } from '../../../../../ground/errors.ts';
import { textProblem } from '../../../../../ground/values/text.ts';
import { isolate } from '../page.ts';
import type { Shown } from '../shown.ts';
import { type Fields, typedText } from '../visitor.ts';
import { askPage, longestLine, longestShoutout, type Pressed, titleOf } from './page.ts';
import type { NotePageOptions, NoteVisit } from './visit.ts';

/** The page of a link, by the current state of what it is about. */
export async function notePageOf(
  options: NotePageOptions,
  visit: NoteVisit,
  pressed?: Pressed,
  status = 200,
): Promise<Shown> {
  return { status, text: askPage(visit, await readOpenAsks(options.lookUps, visit.mail), pressed) };
}

/** Writes a line or gives a shoutout, once. */
export async function press(options: NotePageOptions, visit: NoteVisit, fields: Fields): Promise<Shown> {
  const { open } = await readOpenAsks(options.people, visit.mail);
  const ask = open.find(({ occurrenceId }) => String(occurrenceId) === fields.about);
  // It has gone out, or was given before: the page says so.
  if (!ask) return notePageOf(options, visit, undefined, 409);
  const text = typedText(fields.text);
  return (visit.mail.kind === 'LINE' ? saveLine : giveShoutout)(options, visit, ask, text);
}

async function saveLine(options: NotePageOptions, visit: NoteVisit, ask: Ask, text: string): Promise<Shown> {
  const { words, mail } = visit;
  if (textProblem(text, longestLine) !== null) return rejected(options, visit, ask, text, words.say('lineLong'));
  const manager = { is: 'USER', id: null, name: mail.name } as const;
  const isSaved = await inWorkspace(options.people, mail.workspaceId, (tx) =>
    addLine(tx, manager, mail.workspaceId, ask, text === '' ? null : text),
  );
  if (!isSaved) return notePageOf(options, visit, undefined, 409);
  const person = isolate(figuresOfAsk(words, ask).person);
  const said =
    text === ''
      ? { title: words.say('lineRemoved', { person }), lead: words.say('lineRemovedLead') }
      : { title: words.say('lineSaved', { person }), lead: words.say('lineSavedLead') };
  return notePageOf(options, visit, { said });
}

/** By the same rules as through the API, in the name of the manager. */
async function giveShoutout(options: NotePageOptions, visit: NoteVisit, ask: Ask, text: string): Promise<Shown> {
  const { words, mail } = visit;
  const { workspaceId, memberId, mailId } = mail;
  if (text === '' || textProblem(text, longestShoutout) !== null)
    return rejected(options, visit, ask, text, words.say('nudgeFault'));
  const { email, employeeNumber, reasonId } = ask;
  try {
    await options.shoutouts.give({
      tokenId: ask.automationId,
      workspace: await readShoutoutGrant(options.people, workspaceId, memberId),
      idempotencyKey: nudgeKey(ask.occurrenceId, mailId),
      shoutout: {
        recipient: email ? { email } : { employeeNumber },
        message: text,
        isPrivate: false,
        ...(reasonId !== null && { reasonId }),
      },
    });
  } catch (failure) {
    if (!(failure instanceof Failure) || failure.kind === 'unavailable') throw failure;
    // Pressed twice at the same time: the page says that it was given.
    if (failure.kind === 'mismatch') return notePageOf(options, visit, undefined, 409);
    const person = isolate(figuresOfAsk(words, ask).person);
    return rejected(options, visit, ask, text, words.say('nudgeRejected', { person }));
  }
  const said = { title: titleOf(visit, 'nudgeGivenTitle', [ask]), lead: words.say('nudgeGivenLead') };
  return notePageOf(options, visit, { said });
}

function rejected(options: NotePageOptions, visit: NoteVisit, ask: Ask, text: string, fault: string): Promise<Shown> {
  return notePageOf(options, visit, { typed: { occurrenceId: ask.occurrenceId, text, fault } }, 400);
}
