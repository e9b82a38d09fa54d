import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadTraces } from '../../../../company/access/read-traces.ts';
import type { PeopleList } from '../../../../ground/values/people-lists.ts';
import { notePeople } from '../../callers/note-people.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Writes to the audit log what callers read. */
    readTraces: ReadTraces;
  }
}

/** A list of people with their addresses or numbers: what it is about, and the field of the response that has them. */
export interface ListsPeople {
  of: PeopleList;
  field: string;
}

/** The audit log says who gets the list. */
export function noteLists<Request extends FastifyRequest, Result>(
  traces: () => ReadTraces,
  { of, field }: ListsPeople,
  handler: (request: Request, reply: FastifyReply) => Result,
): (request: Request, reply: FastifyReply) => Result {
  const noted = async (request: Request, reply: FastifyReply) => {
    const result = (await handler(request, reply)) as Record<string, unknown[]>;
    notePeople(traces(), request, of, result[field]?.length ?? 0);
    return result;
  };
  return noted as unknown as typeof handler;
}
