/** A person as one line of an order, or a shoutout, names them. Names that are not given are empty. */
export interface NamedPerson {
  email: string | null;
  /** The address as the database compares it. */
  emailKey: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
}

/** A line of an order that was accepted and is not fulfilled yet; those of one order have the same request. */
export interface LineAhead extends NamedPerson {
  request: string;
}

/** A member, or somebody who is about to become one and has no id yet. */
export interface Person {
  id: number | null;
  email: string | null;
  employeeNumber: string | null;
  firstName: string;
  lastName: string;
  hasLeft: boolean;
  /** Whether the database has yet to hear of what an order or a shoutout said of them. */
  isChanged: boolean;
}

/** What is known of the people that a batch names. A merged record stands for the one that remains. */
export interface KnownPeople {
  byId: Map<number, Person>;
  byEmail: Map<string, Person>;
  byEmployeeNumber: Map<string, Person>;
}

export function knowNobody(): KnownPeople {
  return { byId: new Map(), byEmail: new Map(), byEmployeeNumber: new Map() };
}

type Identity = Pick<NamedPerson, 'emailKey' | 'employeeNumber'>;

/** Whom an identity leads to. The e-mail takes precedence: with one, the number is not looked at. */
export function findPerson(known: KnownPeople, { emailKey, employeeNumber }: Identity): Person | undefined {
  if (emailKey !== null) return known.byEmail.get(emailKey);
  return employeeNumber === null ? undefined : known.byEmployeeNumber.get(employeeNumber);
}

/**
 * Takes in what one order (or one shoutout, which has a single line) says of people, and returns the person of each
 * line. This is the one place that decides who a recipient is:
 *
 * 1. A line with an e-mail leads to the person with that address, who is added where nobody has it.
 * 2. An employee number beside it becomes theirs if they have none and nobody else has it.
 * 3. A line with a number alone leads to the person who has it, else to the first one beside whom it stands in the same
 *    order, else to somebody new. So the lines of one order are known together, in whatever order they stand.
 * 4. A first or last name that a person lacks is filled from the first line that gives it; one that is there stays.
 *
 * Called once for each order and shoutout in the sequence of their acceptance, it gives the same outcome however they are
 * batched.
 */
export function takeIn(known: KnownPeople, lines: readonly NamedPerson[]): Person[] {
  const beside = new Map<string, Person>();
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

function addByEmail(known: KnownPeople, email: string | null, emailKey: string): Person {
  const person = newPerson({ email });
  known.byEmail.set(emailKey, person);
  return person;
}

function recordNumber(known: KnownPeople, beside: Map<string, Person>, person: Person, number: string): void {
  if (!beside.has(number)) beside.set(number, person);
  if (person.employeeNumber !== null || known.byEmployeeNumber.has(number)) return;
  person.employeeNumber = number;
  person.isChanged = true;
  known.byEmployeeNumber.set(number, person);
}

function findBeside(known: KnownPeople, beside: ReadonlyMap<string, Person>, employeeNumber: string): Person {
  const named = beside.get(employeeNumber);
  if (named) return named;
  const person = newPerson({ employeeNumber });
  known.byEmployeeNumber.set(employeeNumber, person);
  return person;
}

function fillNames(person: Person, { firstName, lastName }: NamedPerson): void {
  if (person.firstName === '' && firstName !== '') {
    person.firstName = firstName;
    person.isChanged = true;
  }
  if (person.lastName === '' && lastName !== '') {
    person.lastName = lastName;
    person.isChanged = true;
  }
}

function newPerson(identity: { email?: string | null; employeeNumber?: string }): Person {
  const nothing = { id: null, email: null, employeeNumber: null, firstName: '', lastName: '', hasLeft: false };
  return { ...nothing, ...identity, isChanged: true };
}
