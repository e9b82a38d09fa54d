import Type, { type Static } from 'typebox';
import { named, nullable, oneOf } from './schema.ts';

export const actorKinds = ['USER', 'TOKEN', 'AUTOMATION', 'MEMBER', 'CLI', 'SYSTEM'] as const;

const is = oneOf([...actorKinds], {
  description:
    'A user who signed in, an API token, an automation, a member who signed in without being a user, the command line, or the service itself.',
});
const id = nullable<number>('integer', {
  description: 'The id of the user, of the token, of the automation or of the member.',
});

export const Actor = named(
  'Actor',
  Type.Object(
    { is, id, name: nullable<string>('string', { description: 'Their name at that time.', examples: ['Till 2'] }) },
    { description: 'Who did something.' },
  ),
);
export type Actor = Static<typeof Actor>;

export const EventActor = named(
  'EventActor',
  Type.Object({ is, id }, { description: 'Who did something, without a name: events hold none.' }),
);
export type EventActor = Static<typeof EventActor>;

/** Names of people who are erased later must not stay in what is stored. */
export function withoutName({ is, id }: Actor): EventActor {
  return { is, id };
}
