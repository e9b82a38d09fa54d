import Type, { type Static } from 'typebox';
import { aMoment, named } from './schema.ts';

export const ClockAdvance = named(
  'ClockAdvance',
  Type.Object(
    {
      days: Type.Integer({
        minimum: 1,
        maximum: 366,
        description: 'How many days. The time never goes back.',
        examples: [30],
      }),
    },
    { description: "How far a workspace's time moves forward.", examples: [{ days: 1 }] },
  ),
);
export type ClockAdvance = Static<typeof ClockAdvance>;

export const Clock = named(
  'Clock',
  Type.Object(
    {
      at: aMoment("The workspace's time.", '2027-03-12T12:00:00.000Z'),
      aheadDays: Type.Number({ description: 'How many days it was moved forward.', examples: [30] }),
      canMove: Type.Boolean({
        description: 'Whether the caller can move it: in the test environment, with the scope settings:manage.',
        examples: [true],
      }),
    },
    { description: "A workspace's time, which the test environment can move forward." },
  ),
);
export type Clock = Static<typeof Clock>;

export const AdvancedClock = named(
  'AdvancedClock',
  Type.Object(
    {
      ...Clock.properties,
      daysLeft: Type.Integer({
        description: 'How many of the days have not passed yet: call again with this number. 0: all have passed.',
        examples: [0],
      }),
    },
    { description: "A workspace's time after it was moved forward." },
  ),
);

export type AdvancedClock = Static<typeof AdvancedClock>;

export const clockSchemas = [ClockAdvance, Clock, AdvancedClock];
