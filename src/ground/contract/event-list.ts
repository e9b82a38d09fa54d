import Type, { type Static } from 'typebox';
import { EventRecord } from './event.ts';
import { history } from './history.ts';
import { PageQuery } from './paging.ts';
import { named, ref, strictQuery } from './schema.ts';

export const EventPage = named(
  'EventPage',
  Type.Object(
    {
      events: Type.Array(ref(EventRecord), { description: 'The oldest first.' }),
      next: Type.Integer({ description: 'The number to ask with as `after` next time.', examples: [42] }),
      latest: Type.Integer({ description: 'The number of the latest event in the workspace; 0 before the first.' }),
      history,
    },
    { description: 'A page of events, and where to continue.' },
  ),
);
export type EventPage = Static<typeof EventPage>;

export const EventQuery = strictQuery({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The number of the last event that the caller has. From the oldest one when absent.',
    }),
  ),
  size: PageQuery.size,
  types: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: 'Only these types, separated by commas.',
      examples: ['order.completed'],
    }),
  ),
  wait: Type.Integer({
    minimum: 0,
    maximum: 30,
    default: 0,
    description: 'How many seconds to wait for the next event if there is none yet.',
  }),
});
export type EventQuery = Static<typeof EventQuery>;

export const EventParams = Type.Object({
  id: Type.String({
    pattern: '^evt_\\d{1,15}_\\d{1,15}$',
    description: 'The id of the event.',
    examples: ['evt_1_42'],
  }),
});
