export interface DemoPerson {
  firstName: string;
  lastName: string;
  email: string;
  employeeNumber: string;
  department: string;
  costCentre: string;
  location: string;
  currency: string;
  country: string;
  timeZone: string;
  language: string | null;
  hireDate: string;
  /** Some are not known, as in any company. */
  birthday: string | null;
  team: string;
  pictureUrl: string;
  /** Index of the manager among the people; null at the top. */
  manager: number | null;
}

const firstNames =
  'Amara Björn Chloé Dmitri Elena Farid Grace Hiro Ingrid Jamal Kavya Liam Maya Noah Olga Pierre Quinn Rosa Samir Tove'.split(
    ' ',
  );
/** As many as keep two people of one first name apart. */
const lastNames =
  'Okafor Lindqvist Tremblay Sokolov Marín Haddad Nakamura Olsen Bhatt Roy Silva Kowalski Adeyemi Gagnon Fischer Chen Moreau Singh Novak Costa Bélanger Yamada Rossi Larsen Ibrahim Müller Ortiz Petrov Walsh Dubois Eriksen'.split(
    ' ',
  );

const departments = [
  { name: 'Engineering', costCentre: 'CC-100', teams: ['Platform', 'Mobile', 'Data'], size: 44 },
  { name: 'Customer Care', costCentre: 'CC-200', teams: ['Voice', 'Chat'], size: 30 },
  { name: 'Sales', costCentre: 'CC-300', teams: ['Field Sales', 'Inside Sales'], size: 24 },
  { name: 'People', costCentre: 'CC-400', teams: ['People Operations'], size: 12 },
  { name: 'Finance', costCentre: 'CC-500', teams: ['Accounting'], size: 10 },
];

const locations = [
  { location: 'Toronto', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto', language: null },
  { location: 'Montréal', currency: 'CAD', country: 'CA', timeZone: 'America/Toronto', language: 'FR_CA' },
  { location: 'Chicago', currency: 'USD', country: 'US', timeZone: 'America/Chicago', language: null },
  { location: 'Berlin', currency: 'EUR', country: 'DE', timeZone: 'Europe/Berlin', language: null },
];

/** A day of a year, by its number. 2000 was a leap year, so that 29 February is one of them. */
function monthDay(nth: number): string {
  return new Date(Date.UTC(2000, 0, 1 + (nth % 366))).toISOString().slice(5, 10);
}

/** The same 120 people every time: the first of a department leads it, the first of a team leads that. */
export function demoPeople(): DemoPerson[] {
  const people: DemoPerson[] = [];
  for (const { name: department, costCentre, teams, size } of departments) {
    const head = people.length;
    for (let nth = 0; nth < size; nth++) {
      const index = people.length;
      const firstName = firstNames[index % firstNames.length] as string;
      const lastName = lastNames[(index * 7) % lastNames.length] as string;
      const location = locations[(index * 7) % locations.length] as (typeof locations)[number];
      const handle = `${firstName}.${lastName}`.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
      const teamLead = head + (nth % teams.length);
      people.push({
        firstName,
        lastName,
        email: `${handle}@example.com`,
        employeeNumber: String(1001 + index),
        department,
        costCentre,
        ...location,
        // Before the year of gifts that the demo company has.
        hireDate: `${2010 + ((index * 5) % 14)}-${monthDay(index * 37).replace('02-29', '02-28')}`,
        birthday: index % 17 === 11 ? null : monthDay(index * 101),
        team: teams[nth % teams.length] as string,
        pictureUrl: `https://example.com/people/${handle}.jpg`,
        manager: index === teamLead ? (index === head ? null : head) : teamLead,
      });
    }
  }
  return people;
}
