import {
  type EventType,
  eventSchemaName,
  eventTypeNames,
  eventTypes,
  exampleData,
} from '../../../ground/contract/event.ts';

/** What the document says of the requests that webhooks send, a type of event each. */
export function describeWebhooks(): Record<string, { post: object }> {
  return Object.fromEntries(eventTypeNames.map((type) => [type, { post: describeEvent(type) }]));
}

function describeEvent(type: EventType): object {
  const name = eventSchemaName(type);
  return {
    operationId: `receive${name}`,
    summary: type,
    description: eventTypes[type].meaning,
    tags: ['Webhooks'],
    // Receivers verify the signature; they ask for no token.
    security: [],
    parameters: signatureHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example: exampleOf(type) },
      },
    },
    responses: answers,
  };
}

function exampleOf(type: EventType): object {
  const timestamp = '2026-11-02T14:03:27.512Z';
  return { id: 'evt_1_42', number: 42, type, timestamp, workspaceId: 1, data: exampleData(type) };
}

const signatureHeaders = [
  ['webhook-id', 'The id of the event. It is the same at every attempt.', 'evt_1_42'],
  ['webhook-timestamp', 'When this attempt was made, in seconds since 1970.', '1793628208'],
  [
    'webhook-signature',
    'Signatures separated by spaces; one that fits is enough.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ],
].map(([name, description, example]) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
}));

const answers = {
  '2XX': { description: 'Taken: the event is not posted again.' },
  '410': { description: 'The endpoint is gone: the webhook is disabled.' },
  '4XX': { description: 'Anything else, redirects included, is a failure: the event is posted again later.' },
};
