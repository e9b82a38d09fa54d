import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { firstNames, lastNames } from './names.ts';

const header = 'email,employeeNumber,firstName,lastName,department,costCentre,location,manager,team,currency,active\n';
const rowsAtOnce = 10_000;
// A prime, so that the people of a file stand in it in no order, and half of them before their manager.
const stride = 7_919;

/** Writes a file of so many people as an HR system writes it. One in ten manages ten others; there are 200 teams. */
export async function writePeople(path: string, people: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(header);
  for (let from = 1; from <= people; from += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, people - from + 1) }, (_, nth) =>
      rowOf(1 + (((from + nth) * stride) % people)),
    );
    if (!file.write(rows.join(''))) await once(file, 'drain');
  }
  file.end();
  await once(file, 'finish');
}

function rowOf(person: number): string {
  const manager = Math.floor((person + 8) / 10);
  return `${[
    addressOf(person),
    `E${String(person).padStart(8, '0')}`,
    firstNames[(person * 7) % firstNames.length],
    lastNames[(person * 13) % lastNames.length],
    `Department ${person % 10}`,
    `Cost centre ${person % 1_000}`,
    `Location ${person % 100}`,
    manager > 0 && manager !== person ? addressOf(manager) : '',
    `Team ${person % 200}`,
    'CAD',
    'true',
  ].join(',')}\n`;
}

const addressOf = (person: number) => `person${person}@example.com`;
