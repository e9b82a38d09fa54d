import type { FastifyRequest } from 'fastify';
import { type ReadTraces, readsOfPeople } from '../../../company/access/read-traces.ts';
import type { PeopleList } from '../../../ground/values/people-lists.ts';

/** Notes that a response has the addresses or numbers of this many people. */
export function notePeople(
  traces: ReadTraces,
  { grant, caller, method }: FastifyRequest,
  of: PeopleList,
  people: number,
): void {
  const read = readsOfPeople(of, people);
  if (read && method !== 'HEAD') traces.note(grant, caller.workspace.workspaceId, read);
}
