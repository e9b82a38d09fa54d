import { matches } from '../../company/directory/audience.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { OccurrenceReason, OccurrenceState } from '../../ground/contract/occurrence.ts';
import { addDays, daysBetween } from '../../ground/values/calendar.ts';
import { dueAtOf } from './due-at.ts';
import { amountByYears, occasionsSentBetween, type PlannedOccasion } from './occasions.ts';
import { type EarlierOccurrence, isSameOccasion } from './once.ts';
import { isOnLeave, type MessageScene, type Person, placeholderValuesOf } from './people.ts';
import { languageOf, renderMessage } from './placeholders.ts';
import type { ActiveAutomation, KnownRow, NewOccurrence } from './store.ts';
import { type IsHoliday, longestMove } from './working-days.ts';

/** What a look knows about the workspace, and the days that it looks at. */
export interface LookScene extends MessageScene {
  language: string;
  /** The one of the people that are looked at. */
  timeZone: string;
  isHoliday: IsHoliday;
  /** The first day on which something may have gone out. */
  from: string;
  /** The last day whose hour has come. */
  day: string;
  /** Whether managers are emailed. */
  emailsManagers: boolean;
}

/** What a look writes about a person. */
interface Changes {
  added: NewOccurrence[];
  /** Rows that a manager was asked about, and that are not due any more: the date or the audience has changed. */
  withdrawn: number[];
}

/** A person with what tells whether a gift can reach them. */
export type Reachable = Person & { hasNumber: boolean };

/**
 * Decides what happens for a person on the days of a look. It goes out at most once: a row that stands for the same occasion, of any record of the
 * person, prevents it.
 */
export function occurrencesOf(
  { terms, since }: Pick<ActiveAutomation, 'terms' | 'since'>,
  person: Reachable,
  earlier: readonly KnownRow[],
  scene: LookScene,
): Changes {
  const { from, day, timeZone, isHoliday, emailsManagers } = scene;
  const rows: EarlierOccurrence[] = [...earlier];
  const added: NewOccurrence[] = [];
  const asked = new Map(earlier.filter(({ state }) => state === 'ASKED').map((row) => [row.forDay, row]));
  const askedUntil = addDays(day, terms.leadDays);
  // A shorter time for managers takes nothing away from those who were asked before: their lines would be lost.
  const until = [askedUntil, ...[...asked.keys()].map((forDay) => addDays(forDay, longestMove))]
    .sort()
    .at(-1) as string;
  const occasions = matches(terms.audience, person) ? occasionsSentBetween(terms, person, from, until, isHoliday) : [];
  for (const occasion of occasions) {
    const { forDay, years, sendDay } = occasion;
    const dueAt = dueAtOf(sendDay, terms.hour, timeZone);
    if (dueAt < since) continue;
    const isDone = rows.some((row) => row.forDay === forDay && row.state !== 'ASKED');
    if (isDone) continue;
    const isRepeated = rows.some((row) => isSameOccasion(terms.trigger, row, occasion));
    const base = {
      memberId: asked.get(forDay)?.recordId ?? person.id,
      forDay,
      years,
      dueAt,
      daysLate: Math.max(0, daysBetween(sendDay, day)),
    };
    if (sendDay > day) {
      if (isRepeated || awayReason(terms, person, sendDay)) continue;
      if (sendDay > askedUntil) {
        asked.delete(forDay);
        continue;
      }
      if (person.managerId === null) continue;
      // Without an email the manager is not asked: it waits for its day. One who was asked before has their line.
      if (!asked.has(forDay) && !(emailsManagers && person.hasManagerEmail)) continue;
      const ask = { askedMemberId: person.managerId, ...messageFor(terms, person, years, scene) };
      added.push({ ...base, ...ask, ...stateOf('ASKED'), daysLate: 0, ...giftOf(terms, years), isByHand: false });
      asked.delete(forDay);
      continue;
    }
    const text = messageFor(terms, person, years, scene);
    const outcome = outcomeOf(terms, person, occasion, isRepeated, text.message, day);
    added.push({ ...base, ...outcome, ...text, ...giftOf(terms, years), askedMemberId: null, isByHand: false });
    rows.push({ forDay, years, state: outcome.state, reason: outcome.reason });
    asked.delete(forDay);
  }
  return { added, withdrawn: [...asked.values()].map(({ id }) => id) };
}

type Outcome = Pick<NewOccurrence, 'state' | 'reason' | 'detail'>;

function stateOf(
  state: OccurrenceState,
  reason: OccurrenceReason | null = null,
  detail: string | null = null,
): Outcome {
  return { state, reason, detail };
}

function outcomeOf(
  terms: AutomationTerms,
  person: Reachable,
  { sendDay }: PlannedOccasion,
  isRepeated: boolean,
  message: string | null,
  day: string,
): Outcome {
  if (isRepeated) return stateOf('SKIPPED', 'ALREADY_DONE');
  const away = awayReason(terms, person, sendDay);
  if (away) return stateOf('SKIPPED', away);
  if (daysBetween(sendDay, day) > terms.catchUpDays) return stateOf('SKIPPED', 'TOO_LATE');
  return cannotGoOut(terms, person, message) ?? stateOf('DUE');
}

/** Why nothing can go out to a person, though it is due; null: it can. */
export function cannotGoOut(terms: AutomationTerms, person: Reachable, message: string | null): Outcome | null {
  if (terms.action.is === 'NUDGE') return person.managerId === null ? stateOf('NOT_DONE', 'NO_MANAGER') : null;
  if (message === null || message === '') return stateOf('NOT_DONE', 'NO_MESSAGE');
  return person.hasEmail || person.hasNumber ? null : stateOf('NOT_DONE', 'NO_ADDRESS');
}

function awayReason(terms: AutomationTerms, person: Person, sendDay: string): OccurrenceReason | null {
  if (person.isKeptOut) return 'KEPT_OUT';
  const hasLeft = person.hasLeft || (person.leavesOn !== null && person.leavesOn < sendDay);
  if (terms.skipsLeft && hasLeft) return 'HAS_LEFT';
  return terms.skipsOnLeave && isOnLeave(person, sendDay) ? 'ON_LEAVE' : null;
}

/** What a person reads, and in which language. */
export function messageFor(
  terms: AutomationTerms,
  person: Person,
  years: number | null,
  { language: workspaceLanguage, ...scene }: MessageScene & Pick<LookScene, 'language'>,
): Pick<NewOccurrence, 'language' | 'message'> {
  const language = languageOf(terms.messages, person.language, workspaceLanguage);
  if (language === null) return { language, message: null };
  const values = placeholderValuesOf(person, { ...scene, years, language });
  return { language, message: renderMessage(terms.messages[language] ?? '', values, terms.missing).trim() };
}

export function giftOf({ action }: AutomationTerms, years: number | null): Pick<NewOccurrence, 'amount' | 'currency'> {
  const amount = amountByYears(action, years);
  return { amount, currency: amount === null ? null : (action.currency ?? null) };
}
