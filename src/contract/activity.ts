import Type, { type Static } from 'typebox';

export const UserSummary = Type.Object({
  id: Type.Integer({ examples: [17] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  firstName: Type.String({ examples: ['Ada'] }),
  lastName: Type.String({ examples: ['Lovelace'] }),
  avatar: Type.String({ description: "Address of the person's picture." }),
  'the service': Type.String({ description: 'The same as avatar, under the name that the interface document has.' }),
  self: Type.Boolean({ description: 'True for the member that the calling token acts as.' }),
});

/** How a moment is written. */
export const moment = {
  description: 'UTC, ISO 8601 without zone offset.',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}$',
  examples: ['2026-11-02T14:03:27.512345'],
};

export const Activity = Type.Object({
  status: Type.Enum(['PENDING', 'APPROVED']),
  sender: UserSummary,
  receiver: UserSummary,
  createdOn: Type.String(moment),
  description: Type.String({ examples: ['Thank you for the launch!'] }),
  reason: Type.Object({
    id: Type.Integer({ examples: [1] }),
    description: Type.String({ examples: ['Teamwork'] }),
  }),
  isPrivate: Type.Boolean(),
  type: Type.Enum(['GIFT', 'SHOUTOUT']),
  account: Type.Integer({ description: 'The account that owns the workspace.', examples: [1] }),
  team: Type.Integer({ description: "The receiver's team.", examples: [3] }),
});
export type Activity = Static<typeof Activity>;
