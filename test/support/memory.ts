import type { Queryable } from '../../src/ground/database/database.ts';
import { CompanyMemory } from '../../src/insight/reports/memory/company.ts';

/** Everything that a company in memory knows, in terms of ids and texts. */
export function contents({ people, activities }: CompanyMemory) {
  const idAt = (place: number | undefined) => (place === undefined || place < 0 ? null : people.idOf(place));
  const known = [...people.byId()].filter((place) => people.added[place] !== 0x7fff_ffff);
  return {
    people: known.map((place) => ({
      id: people.idOf(place),
      added: people.added[place],
      left: people.left[place],
      manager: idAt(people.manager[place]),
      team: people.teams.values[people.team[place] as number],
      department: people.texts.department.values[people.groupsBy('department')[place] as number],
    })),
    activities: Array.from({ length: activities.count }, (_, nth) => ({
      receiver: idAt(people.survivor[activities.receiver[nth] as number]),
      sender: idAt(people.survivor[activities.sender[nth] as number]),
      day: activities.day[nth],
      kind: activities.kind[nth],
    })),
  };
}

/** What a company that reads the database for the first time knows. */
export async function contentsNow(database: Queryable, workspaceId: number) {
  const company = new CompanyMemory(workspaceId);
  await company.follow(database);
  return contents(company);
}
