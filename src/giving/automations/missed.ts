import { matches } from '../../company/directory/audience.ts';
import type { AutomationTerms } from '../../ground/contract/automation.ts';
import type { AutomationPlan } from '../../ground/contract/automation-plan.ts';
import type { Planned, PlanScene } from './evaluate.ts';
import { type Person, placeholderValuesOf } from './people.ts';
import { hasValue, placeholdersOf } from './placeholders.ts';

type Missed = AutomationPlan['missed'][number];

/** People whom an automation leaves out because a date is missing, then those whom it reaches only in part. */
export function missedBy(
  terms: AutomationTerms,
  people: readonly Person[],
  planned: readonly Planned[],
  scene: PlanScene,
): Missed[] {
  const found = new Map<string, { why: Missed['why']; what: string | null; people: Map<number, Person> }>();
  const add = (why: Missed['why'], what: string | null, person: Person) => {
    const key = `${why} ${what ?? ''}`;
    const group = found.get(key) ?? { why, what, people: new Map() };
    group.people.set(person.id, person);
    found.set(key, group);
  };
  for (const person of people)
    if (lacksDate(terms, person) && !(terms.skipsLeft && person.hasLeft) && matches(terms.audience, person))
      add('NO_DATE', null, person);
  const used = new Map(
    Object.entries(terms.messages).map(([language, text]) => [language, placeholdersOf(text ?? '')]),
  );
  const needsManager = terms.from.is === 'MANAGER' || terms.leadDays > 0 || terms.action.is === 'NUDGE';
  for (const { person, language, years, isSkipped } of planned) {
    if (isSkipped) continue;
    if (terms.action.is === 'GIFT' && !person.hasEmail) add('NO_EMAIL', null, person);
    if (needsManager && person.managerId === null) add('NO_MANAGER', null, person);
    const wanted = (person.language ?? scene.language).slice(0, 2).toUpperCase();
    if (language !== wanted) add('NO_MESSAGE', wanted, person);
    if (language === null) continue;
    const values = placeholderValuesOf(person, { ...scene, years, language });
    for (const name of used.get(language) ?? [])
      if (!hasValue(values, name) && !terms.missing[name]) add('NO_VALUE', name, person);
  }
  return [...found.values()]
    .sort((one, other) => sequence.indexOf(one.why) - sequence.indexOf(other.why))
    .map(({ why, what, people: all }) => ({
      ...{ why, what, people: all.size },
      first: [...all.values()]
        .slice(0, 5)
        .map(({ id, firstName, lastName }) => ({ memberId: id, firstName, lastName })),
    }));
}

const sequence: Missed['why'][] = ['NO_DATE', 'NO_EMAIL', 'NO_MESSAGE', 'NO_VALUE', 'NO_MANAGER'];

function lacksDate({ trigger }: AutomationTerms, { birthday, hireDate, lastRecognizedOn }: Person): boolean {
  switch (trigger.is) {
    case 'BIRTHDAY':
      return birthday === null;
    case 'ANNIVERSARY':
    case 'AFTER_HIRE':
      return hireDate === null;
    case 'UNRECOGNIZED':
      return hireDate === null && lastRecognizedOn === null;
    default:
      return false;
  }
}
