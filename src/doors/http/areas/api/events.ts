import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { EventPulse } from '../../../../company/events/pulse.ts';
import { findEvent, parseTypes, readEvents } from '../../../../company/events/read.ts';
import { EventRecord, eventSchemas } from '../../../../ground/contract/event.ts';
import { EventPage, EventParams, EventQuery } from '../../../../ground/contract/event-list.ts';
import { ref } from '../../../../ground/contract/schema.ts';
import type { Queryable } from '../../../../ground/database/database.ts';
import { problems, WorkspaceHeader } from '../../openapi/openapi.ts';
import type { Resource } from './resource.ts';

export interface EventOptions {
  lookUps: Queryable;
  pulse: EventPulse;
}

const longestWaitMs = 30_000;

const eventRoutes: FastifyPluginAsyncTypebox<EventOptions> = async (app, { lookUps, pulse }) => {
  // A stop lets the requests go that wait.
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  app.route({
    method: 'GET',
    url: '',
    config: { access: 'events:read', holdsMs: longestWaitMs },
    schema: {
      operationId: 'listEvents',
      summary: 'List events',
      description:
        'What happened in the workspace after a number, the oldest first. With `wait`, an answer without events is held back until there is one.',
      headers: Type.Object(WorkspaceHeader),
      querystring: EventQuery,
      response: {
        200: {
          description: 'Events, and where to go on.',
          content: { 'application/json': { schema: ref(EventPage) } },
        },
        ...problems(400, 401, 403, 406, 410, 429, 500, 503),
      },
    },
    handler: async ({ caller, query, raw }) => {
      const { workspaceId } = caller.workspace;
      const request = { after: query.after ?? null, size: query.size, types: parseTypes(query.types) };
      const page = await readEvents(lookUps, workspaceId, request);
      if (page.events.length > 0 || query.wait === 0) return page;
      const gone = new AbortController();
      raw.once('close', () => gone.abort());
      const over = AbortSignal.any([gone.signal, closing.signal]);
      return waitForEvents(workspaceId, request, page, query.wait * 1_000, over);
    },
  });

  /** Events of other types wake the reader too, so it may have to wait again. */
  async function waitForEvents(
    workspaceId: number,
    request: Parameters<typeof readEvents>[2],
    first: EventPage,
    waitMs: number,
    signal: AbortSignal,
  ): Promise<EventPage> {
    const ends = performance.now() + waitMs;
    let page = first;
    while (page.events.length === 0 && performance.now() < ends) {
      await pulse.wait(workspaceId, page.next, ends - performance.now(), signal);
      if (signal.aborted) break;
      page = await readEvents(lookUps, workspaceId, { ...request, after: page.next });
    }
    return page;
  }

  app.route({
    method: 'GET',
    url: '/:id',
    config: { access: 'events:read' },
    schema: {
      operationId: 'getEvent',
      summary: 'Get an event',
      description: 'One event by its id.',
      headers: Type.Object(WorkspaceHeader),
      params: EventParams,
      response: {
        200: { description: 'The event.', content: { 'application/json': { schema: ref(EventRecord) } } },
        ...problems(400, 401, 403, 404, 406, 429, 500, 503),
      },
    },
    handler: ({ caller, params }) => findEvent(lookUps, caller.workspace.workspaceId, params.id),
  });
};

export const events: Resource<EventOptions> = {
  prefix: '/events',
  tag: { name: 'Events', description: 'Everything that happens in the workspace, in one log to read from any point.' },
  schemas: [EventRecord, EventPage, ...eventSchemas],
  routes: eventRoutes,
};
