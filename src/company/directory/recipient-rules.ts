/** A person as one line of an order, or a shoutout, names them. Missing names are empty. */
export interface NamedPerson {
  email: string | null;
  /** The address as the database compares it. */
  emailKey: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
}

/** A line of an order that is accepted and not fulfilled yet. Lines of one order have the same `request`. */
export interface LineAhead extends NamedPerson {
  request: string;
}

/** A member, or a person who will be added and has no id yet. */
export interface RecipientPerson {
  id: number | null;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  hasLeft: boolean;
  /** Whether an order or a shoutout said something new about them that is not saved yet. */
  isChanged: boolean;
}

/** The known people that a batch names. Merged records resolve to the surviving record. */
export interface KnownPeople {
  byId: Map<number, RecipientPerson>;
  byEmail: Map<string, RecipientPerson>;
  byEmployeeNumber: Map<string, RecipientPerson>;
  /**
   * Numbers that no member has, and that an order which waits uses for a member with another number. A person who gets such a number
   * before the order is fulfilled would receive its gifts.
   */
  awaitedNumbers: Set<string>;
}

/**
 * Why a workspace rejects a person whom an order or a shoutout names. A manager (`onlyReportsOf`) may name any person by email address, and does
 * not learn who of them is in the directory.
 */
export const refusals = {
  hasLeft: (takes: 'gifts' | 'shoutouts', onlyReportsOf: number | null) =>
    onlyReportsOf === null
      ? `has left the workspace and takes no ${takes}`
      : `cannot receive ${takes}: ask the people team`,
  isUnknown: 'is not known in this workspace',
  /** An employee number that none of a manager's reports has. */
  isUnseen: 'is not known to you: use the email address',
};

export function knowNobody(): KnownPeople {
  return { byId: new Map(), byEmail: new Map(), byEmployeeNumber: new Map(), awaitedNumbers: new Set() };
}

type Identity = Pick<NamedPerson, 'emailKey' | 'employeeNumber'>;

/** The person that an identity names. If there is an email address, the number is ignored. */
export function findPerson(known: KnownPeople, { emailKey, employeeNumber }: Identity): RecipientPerson | undefined {
  if (emailKey !== null) return known.byEmail.get(emailKey);
  return employeeNumber === null ? undefined : known.byEmployeeNumber.get(employeeNumber);
}

/**
 * Adds what one order (or one shoutout, which has a single line) says about people to `known`, and returns the person of
 * each line. Only this function decides who a recipient is:
 *
 * 1. A line with an email finds the person with that address, or adds one.
 * 2. An employee number beside it becomes theirs if they have none and no other person has it.
 * 3. A line with only a number identifies the person who has it, else the first person beside whom the number stands in the
 *    same order, else a new person. So the order of the lines does not matter.
 * 4. A missing first or last name is filled from the first line that has it. An existing name stays.
 *
 * Called once for each order and shoutout in the sequence of acceptance, it gives the same outcome for every way of batching
 * them.
 */
export function takeIn(known: KnownPeople, lines: readonly NamedPerson[]): RecipientPerson[] {
  const beside = new Map<string, RecipientPerson>();
  for (const line of lines) {
    if (line.emailKey === null) continue;
    const person = known.byEmail.get(line.emailKey) ?? addByEmail(known, line.email, line.emailKey);
    if (line.employeeNumber !== null) recordNumber(known, beside, person, line.employeeNumber);
  }
  return lines.map((line) => {
    const person = findPerson(known, line) ?? findBeside(known, beside, line.employeeNumber as string);
    fillNames(person, line);
    return person;
  });
}

function addByEmail(known: KnownPeople, email: string | null, emailKey: string): RecipientPerson {
  const person = newPerson({ email });
  known.byEmail.set(emailKey, person);
  return person;
}

function recordNumber(
  known: KnownPeople,
  beside: Map<string, RecipientPerson>,
  person: RecipientPerson,
  number: string,
): void {
  if (!beside.has(number)) beside.set(number, person);
  if (person.employeeNumber !== null || known.byEmployeeNumber.has(number)) return;
  person.employeeNumber = number;
  person.isChanged = true;
  known.byEmployeeNumber.set(number, person);
}

function findBeside(
  known: KnownPeople,
  beside: ReadonlyMap<string, RecipientPerson>,
  employeeNumber: string,
): RecipientPerson {
  const named = beside.get(employeeNumber);
  if (named) return named;
  const person = newPerson({ employeeNumber });
  known.byEmployeeNumber.set(employeeNumber, person);
  return person;
}

function fillNames(person: RecipientPerson, { firstName, lastName }: NamedPerson): void {
  if (person.firstName === '' && firstName !== '') {
    person.firstName = firstName;
    person.isChanged = true;
  }
  if (person.lastName === '' && lastName !== '') {
    person.lastName = lastName;
    person.isChanged = true;
  }
}

function newPerson(identity: { email?: string | null; employeeNumber?: string }): RecipientPerson {
  const nothing = { id: null, email: null, employeeNumber: null, firstName: '', lastName: '', hasLeft: false };
  return { ...nothing, ...identity, isChanged: true };
}
