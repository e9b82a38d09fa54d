import { findEvent, parseTypes, readEvents } from '../../../../company/events/read.ts';
import { EventRecord, eventSchemas } from '../../../../ground/contract/event.ts';
import { EventPage, EventParams, EventQuery } from '../../../../ground/contract/event-list.ts';
import { operation } from './operation.ts';
import type { Routes } from './parts.ts';
import type { Resource } from './resource.ts';
import { json } from './returns.ts';

const longestWaitMs = 30_000;

const eventRoutes: Routes = async (app, { lookUps, pulse }) => {
  // A stop lets the requests go that wait.
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());

  operation(app, 'listEvents', 'GET /', 'events:read', {
    holdsMs: longestWaitMs,
    summary: 'List events',
    description:
      'What happened in the workspace after a number, the oldest first. With `wait`, an answer without events is held back until there is one.',
    query: EventQuery,
    returns: json('Events, and where the next page begins.', EventPage),
    fails: [410],
    handler: async ({ workspaceId, query, raw }) => {
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

  operation(app, 'getEvent', 'GET /:id', 'events:read', {
    summary: 'Get an event',
    description: 'One event by its id.',
    params: EventParams,
    returns: json('The event.', EventRecord),
    handler: ({ workspaceId, params }) => findEvent(lookUps, workspaceId, params.id),
  });
};

export const events: Resource = {
  prefix: '/events',
  tag: { name: 'Events', description: 'Everything that happens in the workspace, in one log to read from any point.' },
  schemas: [EventRecord, EventPage, ...eventSchemas],
  routes: eventRoutes,
};
