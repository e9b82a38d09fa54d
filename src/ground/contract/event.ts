import Type, { type Static, type TSchema } from 'typebox';
import { EventActor } from './actor.ts';
import { automationEvents } from './automation-event.ts';
import { budgetEvents } from './budget-event.ts';
import { doneBy, GiftActionData, GiftData, GiftDeliveryFailedData, giftFields, RedemptionData } from './gift-event.ts';
import { orderEvents } from './order-event.ts';
import { poolEvents } from './pool-event.ts';
import { aMoment, named, nullable, oneOf, ref } from './schema.ts';

const id = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const memberId = id('The id of the member.', 17);
const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

const shoutout = { id: id('The id of the shoutout.', 42) };
const decided = named(
  'ShoutoutDecidedData',
  Type.Object({
    ...shoutout,
    decidedBy: nullable<number>('integer', {
      description: 'The member who decided; null if the sender of a private shoutout has withdrawn it.',
      examples: [5],
    }),
  }),
);
const member = named('MemberEventData', Type.Object({ id: memberId }));

const endedAt = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
  description: 'Until when it can be claimed; null: it does not expire.',
  examples: ['2027-04-01T04:00:00.000Z'],
});

/** Every type of event and its data, which has a name in the OpenAPI document. A module that raises a new one adds a line here. */
export const eventTypes = {
  ...orderEvents,
  ...automationEvents,
  'shoutout.given': {
    meaning: 'A shoutout was given. Its status is PENDING if the workspace requires approval.',
    data: named(
      'ShoutoutGivenData',
      Type.Object({
        ...shoutout,
        senderId: nullable<number>('integer', {
          description: 'The member who says thanks; null if it is private.',
          examples: [3],
        }),
        receiverId: nullable<number>('integer', {
          description: 'The member who is thanked; null if it is private.',
          examples: [17],
        }),
        isPrivate: Type.Boolean({
          description: 'Whether it is private. Then its event names no person.',
          examples: [false],
        }),
        status: oneOf(['PENDING', 'APPROVED'], { description: 'PENDING: it waits for approval.' }),
      }),
    ),
  },
  'shoutout.approved': {
    meaning: 'A shoutout that waited for approval was approved.',
    data: decided,
  },
  'shoutout.declined': {
    meaning: 'A shoutout that waited for approval was declined.',
    data: decided,
  },
  'shoutout.changed': {
    meaning: 'The sender of a shoutout has edited or deleted it, or the people team has hidden it or shows it again.',
    data: named('ShoutoutChangedData', Type.Object(shoutout)),
  },
  'member.added': {
    meaning: 'A person was added to the directory. If they have already left, member.left follows.',
    data: member,
  },
  'member.changed': {
    meaning:
      'A field, the manager or the team of a member changed: once for a request, however many fields it changed. Being recognized, leaving and returning are no such change.',
    data: member,
  },
  'member.left': {
    meaning: 'A member left the company. Where something else about them changed too, member.changed follows.',
    data: member,
  },
  'member.returned': {
    meaning: 'A member who had left came back. Where something else about them changed too, member.changed follows.',
    data: member,
  },
  'member.erased': {
    meaning:
      'A person was erased: forget what you have stored about them. If they had not left, member.left comes first.',
    data: member,
  },
  'member.merged': {
    meaning:
      'Two records of one person became one. Where the one that stays got fields of the other, it has member.changed.',
    data: named('MemberMergedData', Type.Object({ id: memberId, into: id('The member that stays.', 12) })),
  },
  'member.unmerged': {
    meaning:
      'A merge was undone: the two records are two people again. If the record that had been given up had left before, member.left follows. If the other record gave fields back, it has member.changed.',
    data: named(
      'MemberUnmergedData',
      Type.Object({ id: memberId, from: id('The member that it was merged into.', 12) }),
    ),
  },
  'members.import_undone': {
    meaning:
      'An import was undone completely. This event stands for all its changes: its people have no other events. People whom it had added are removed.',
    data: named(
      'MembersImportUndoneData',
      Type.Object({
        importId: Type.String({
          format: 'uuid',
          description: 'Identifies the import.',
          examples: ['019a8c1e-6a2b-7d4c-8e1f-2a3b4c5d6e7f'],
        }),
        removed: count('Members whom the import had added, and who are removed.', 12),
        changed: count('Members who are as they were before, leavers and those who returned among them.', 4),
        left: count('Members who have left again.', 0),
        returned: count('Members who are here again.', 1),
      }),
    ),
  },
  'members.imported': {
    meaning:
      'A file of people was imported. It stands for all the changes of that import: its people have no other events. An import that changed nothing has none.',
    data: named(
      'MembersImportedData',
      Type.Object({
        importId: Type.String({
          format: 'uuid',
          description: 'Identifies the import.',
          examples: ['019a8c1e-6a2b-7d4c-8e1f-2a3b4c5d6e7f'],
        }),
        added: count('Members who were added.', 12),
        changed: count('Members who were changed, leavers and those who returned among them.', 4),
        left: count('Members who left.', 1),
        returned: count('Members who came back.', 0),
        complete: Type.Boolean({
          description:
            'False where the import was stopped on the way: the counts are what it had done by then. If it goes on after a pause of more than five minutes, the rest comes as another event of the same importId.',
          examples: [true],
        }),
      }),
    ),
  },
  'gift.sent': {
    meaning: 'The email about a gift was handed to the mail server. Whether it arrived is not known.',
    data: GiftData,
  },
  'gift.delivery_failed': {
    meaning: 'The email about a gift was rejected permanently, or came back.',
    data: GiftDeliveryFailedData,
  },
  'gift.viewed': {
    meaning: 'The page of a gift was opened for the first time. An email scanner may have done that.',
    data: GiftData,
  },
  'gift.claimed': { meaning: 'The recipient has claimed the gift, on its page or at a till.', data: GiftActionData },
  'gift.thanked': {
    meaning: 'The recipient has written a note of thanks. The gift has its text, and this event does not.',
    data: GiftData,
  },
  'gift.reminded': {
    meaning: 'The mail server accepted a reminder about an unclaimed gift.',
    data: GiftData,
  },
  'gift.reissued': {
    meaning: 'A gift got new tokens, because it goes to another address: its earlier link and code have ended.',
    data: named(
      'GiftReissuedData',
      Type.Object({ ...giftFields, edition: count('Greater with each new issue.', 1), ...doneBy }),
    ),
  },
  'gift.extended': {
    meaning: 'A gift can be claimed for longer. One that had expired can be claimed again.',
    data: named('GiftExtendedData', Type.Object({ ...giftFields, expiresAt: endedAt, ...doneBy })),
  },
  'gift.expired': { meaning: 'A gift was not claimed in time.', data: GiftData },
  'gift.cancelled': { meaning: 'A gift was cancelled before it was claimed.', data: GiftActionData },
  'gift.redeemed': {
    meaning: 'The recipient has spent a gift or a part of it. For a request, redemption.requested follows.',
    data: RedemptionData,
  },
  'gift.redemption_reversed': {
    meaning: 'A redemption was reversed or declined: its amount can be spent again.',
    data: RedemptionData,
  },
  'redemption.requested': {
    meaning: 'A recipient made a request, which the people team fulfils or declines.',
    data: RedemptionData,
  },
  'redemption.fulfilled': { meaning: 'The people team fulfilled a request.', data: RedemptionData },
  'redemption.declined': {
    meaning: 'The people team declined a request. gift.redemption_reversed comes before it.',
    data: RedemptionData,
  },
  ...budgetEvents,
  ...poolEvents,
  'webhook.disabled': {
    meaning: 'A webhook gets no more events.',
    data: named(
      'WebhookDisabledData',
      Type.Object({
        id: id('The id of the webhook.', 2),
        reason: oneOf(['GONE', 'FAILING', 'BY_HAND'], {
          description:
            'GONE: the endpoint responded with 410. FAILING: every attempt failed for five days. BY_HAND: a user turned it off.',
        }),
      }),
    ),
  },
} as const satisfies Record<string, { meaning: string; data: TSchema & { $id: string } }>;

export type EventType = keyof typeof eventTypes;
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** What happened, before it has its number. */
export type NewEvent = {
  [T in EventType]: { type: T; data: Static<(typeof eventTypes)[T]['data']>; traceparent?: string | null };
}[EventType];

const belongsToType = 'What belongs to the type: ids, states, amounts.';
const envelope = {
  id: Type.String({ description: '`evt_`, the workspace and the number.', examples: ['evt_1_42'] }),
  number: Type.Integer({ description: '1, 2, 3 … in the workspace, in the sequence of commits.', examples: [42] }),
  timestamp: aMoment('UTC.', '2026-11-02T14:03:27.512Z'),
  workspaceId: Type.Integer({ description: 'The workspace in which it happened.', examples: [1] }),
};

export const EventRecord = named(
  'Event',
  Type.Object(
    {
      ...envelope,
      type: oneOf(eventTypeNames, {
        description: 'What happened. Newer versions may add types.',
        examples: ['order.completed'],
      }),
      data: Type.Object({}, { additionalProperties: true, description: belongsToType }),
    },
    {
      description:
        'Something that happened in a workspace. It never holds a gift token, a message, a name or an address.',
    },
  ),
);
export type EventRecord = Static<typeof EventRecord>;

/** The name of an event's schema: OrderCompletedEvent. */
export function eventSchemaName(type: EventType): string {
  const parts = type.split(/[._]/).map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  return `${parts.join('')}Event`;
}

/** The data of an event as the document shows it. */
export function exampleData(type: EventType): Record<string, unknown> {
  const { properties } = eventTypes[type].data as unknown as { properties: Record<string, Example> };
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, schema.examples?.[0] ?? schema.enum?.[0] ?? null]),
  );
}

interface Example {
  examples?: unknown[];
  enum?: unknown[];
}

/** Each type as a schema of its own, for receivers of webhooks, and the schemas of their data. */
export const eventSchemas = [
  ...eventTypeNames.map((type) =>
    named(
      eventSchemaName(type),
      Type.Object(
        {
          ...envelope,
          type: oneOf([type], { description: 'What happened.' }),
          data: ref(eventTypes[type].data, { description: belongsToType }),
        },
        { description: eventTypes[type].meaning },
      ),
    ),
  ),
  ...new Set(eventTypeNames.map((type) => eventTypes[type].data)),
  EventActor,
];
