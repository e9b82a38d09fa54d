import type { Columns, Field } from './columns.ts';
import type { PersonRow } from './person.ts';

/** How many rows have a value of a field, and the first values in the form in which they are stored. */
export interface ColumnValues {
  field: string;
  rows: number;
  examples: string[];
}

const [mostExamples, longestExample] = [3, 60];

/** Shows people how the columns of their file are read, before anything is stored. Birthdays are in it without their year. */
export class ValuesSeen {
  readonly #seen: Map<Field, ColumnValues>;

  constructor(columns: Columns) {
    this.#seen = new Map([...columns.keys()].map((field) => [field, { field, rows: 0, examples: [] }]));
  }

  add(row: PersonRow): void {
    for (const [field, seen] of this.#seen) {
      const value = valueIn(row, field);
      if (value === null || value === undefined || value === '') continue;
      seen.rows++;
      if (seen.examples.length === mostExamples) continue;
      const text = [...String(value)].slice(0, longestExample).join('');
      if (!seen.examples.includes(text)) seen.examples.push(text);
    }
  }

  list(): ColumnValues[] {
    return [...this.#seen.values()];
  }
}

function valueIn({ fields, team, manager }: PersonRow, field: Field) {
  switch (field) {
    case 'team':
      return team;
    case 'manager':
      return manager;
    case 'fullName':
      return [fields.firstName, fields.lastName].filter((name) => name).join(' ');
    case 'preferredFirstName':
    case 'preferredLastName':
      return fields.preferredName;
    case 'active':
    case 'hasLeft':
    case 'status':
      return fields.active === undefined ? null : fields.active ? 'active' : 'left';
    case 'leavingDate':
      return fields.leftOn ?? fields.leavesOn;
    default:
      return field.startsWith('custom.')
        ? fields.custom?.[field.slice('custom.'.length)]
        : fields[field as Exclude<typeof field, `custom.${string}`>];
  }
}
