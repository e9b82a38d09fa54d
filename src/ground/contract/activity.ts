import Type, { type Static } from 'typebox';
import { examplePerson, named, oneOf, ref } from './schema.ts';

export const UserSummary = named(
  'UserSummary',
  Type.Object(
    {
      id: Type.Integer({ description: 'The member id.', examples: [7] }),
      email: Type.String({
        description: 'The email address; empty where it is not known.',
        examples: [examplePerson.email],
      }),
      firstName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.firstName] }),
      lastName: Type.String({ description: 'Empty where it is not known.', examples: [examplePerson.lastName] }),
      avatar: Type.String({ description: "Address of the person's picture.", examples: [examplePerson.avatar] }),
      'the service': Type.String({
        description: 'The same value as avatar, under the name that the interface document prints.',
        examples: [examplePerson.avatar],
      }),
      self: Type.Boolean({ description: 'True for the member that the calling token acts as.', examples: [false] }),
    },
    { description: 'A person who gave, received or decided a recognition.' },
  ),
);

/** How a moment is written. */
export const moment = {
  description: 'UTC, ISO 8601 without zone offset.',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}$',
  examples: ['2026-11-02T14:03:27.512345'],
};

export const ActivityReason = named(
  'ActivityReason',
  Type.Object(
    {
      id: Type.Integer({ description: 'Identifies the reason.', examples: [1] }),
      description: Type.String({ description: 'Its text.', examples: ['Teamwork'] }),
    },
    { description: 'What the person was recognized for.' },
  ),
);

export const Activity = named(
  'Activity',
  Type.Object(
    {
      status: oneOf(['PENDING', 'APPROVED'], { description: 'PENDING for a shoutout that waits for approval.' }),
      sender: ref(UserSummary, { description: 'Who gave it.' }),
      receiver: ref(UserSummary, { description: 'Who received it.' }),
      createdOn: Type.String(moment),
      description: Type.String({ description: 'The text that came with it.', examples: ['Thank you for the launch!'] }),
      reason: ref(ActivityReason, { description: 'What it was for.' }),
      isPrivate: Type.Boolean({
        description: 'Whether the sender asked that it is not shown to others.',
        examples: [false],
      }),
      type: oneOf(['GIFT', 'SHOUTOUT'], { description: 'Which of the two it is.' }),
      account: Type.Integer({ description: 'The account that owns the workspace.', examples: [1] }),
      team: Type.Integer({ description: "The receiver's team.", examples: [3] }),
    },
    { description: 'One recognition: a gift or a shoutout.' },
  ),
);
export type Activity = Static<typeof Activity>;

export const activitySchemas = [UserSummary, ActivityReason, Activity];
