import { createHash } from 'node:crypto';
import { groupFields } from '../../../ground/values/member.ts';
import { Activities } from './activities.ts';
import type { Numbers } from './columns.ts';
import { People } from './people.ts';
import type { Position } from './read.ts';

/** People and activities as of a position in the event log. */
export interface Contents {
  position: Position;
  people: People;
  activities: Activities;
}

/** What is not a column of numbers. */
interface Head {
  position: Position;
  people: number;
  activities: number;
  teams: number[];
  texts: (string | null)[][];
}

/** Contents that are packed in another format are not read. It changes with the fields of members that are grouped by. */
export const format = createHash('sha256')
  .update(['2', ...groupFields].join(' '))
  .digest('hex')
  .slice(0, 16);

/** A copy of the contents as bytes: first the length of the head, the head, then the columns. */
export function pack({ position, people, activities }: Contents): Buffer {
  const head: Head = {
    position,
    people: people.count,
    activities: activities.count,
    teams: people.teams.values,
    texts: groupFields.map((field) => people.texts[field].values),
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  const columns = [...people.columns(), ...activities.columns()];
  return Buffer.concat([length, text, ...columns.map(bytesOf)]);
}

export function unpack(bytes: Buffer): Contents {
  const headEnd = 4 + bytes.readUInt32LE(0);
  const head = JSON.parse(bytes.toString('utf8', 4, headEnd)) as Head;
  let at = headEnd;
  const take = <Column extends Numbers>(Kind: new (length: number) => Column, count: number): Column => {
    const column = new Kind(count);
    at += bytes.copy(bytesOf(column), 0, at, at + column.byteLength);
    return column;
  };
  const people = People.of(head.people, head.teams, head.texts, take);
  const activities = Activities.of(head.activities, take);
  if (at !== bytes.length) throw new Error(`packed contents have ${bytes.length} bytes, and not ${at}`);
  return { position: head.position, people, activities };
}

function bytesOf({ buffer, byteOffset, byteLength }: Numbers): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
