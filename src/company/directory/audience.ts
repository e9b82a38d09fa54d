import type { Audience, AudiencePart } from '../../ground/contract/audience.ts';
import type { CustomValues } from '../../ground/values/custom-field.ts';
import { groupFields } from '../../ground/values/member.ts';

export const audienceFields = [...groupFields, 'country'] as const;

/** What an audience asks about a person. */
export interface AudienceMember extends Record<(typeof audienceFields)[number], string | null> {
  /** The person's record, and those that were merged into it. */
  recordIds: readonly number[];
  teamIds: readonly number[];
  custom: CustomValues;
}

type Test = (person: AudienceMember) => boolean;

/** Whether an audience has a person. */
export function matches(audience: Audience, person: AudienceMember): boolean {
  let test = tests.get(audience);
  if (!test) {
    test = testOf(audience);
    tests.set(audience, test);
  }
  return test(person);
}

/** An audience is asked about thousands of people: what it compares is prepared once. */
const tests = new WeakMap<Audience, Test>();

function testOf({ include, exclude }: Audience): Test {
  const [included, excluded] = [include.map(testOfPart), exclude.map(testOfPart)];
  return (person) =>
    (included.length === 0 || included.some((applies) => applies(person))) &&
    !excluded.some((applies) => applies(person));
}

/** All that a part names applies. A part that names nothing applies to everyone. */
function testOfPart(part: AudiencePart): Test {
  const { teamId, memberId, custom } = part;
  const all: Test[] = [];
  if (memberId !== undefined) all.push(({ recordIds }) => recordIds.includes(memberId));
  if (teamId !== undefined) all.push(({ teamIds }) => teamIds.includes(teamId));
  for (const field of audienceFields) {
    const folded = part[field]?.toLowerCase();
    if (folded !== undefined) all.push((person) => person[field]?.toLowerCase() === folded);
  }
  for (const [key, wanted] of Object.entries(custom ?? {})) {
    const folded = wanted.toLowerCase();
    all.push(
      (person) => Object.hasOwn(person.custom, key) && String(person.custom[key] ?? '').toLowerCase() === folded,
    );
  }
  return (person) => all.every((applies) => applies(person));
}
