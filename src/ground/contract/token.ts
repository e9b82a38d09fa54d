import Type, { type Static } from 'typebox';
import { longest } from '../values/text.ts';
import { aMoment, aMomentOrNull, anId, named, nullable, oneOf, ref, strictQuery } from './schema.ts';

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'text',
  description: "What it is for. It is the sender's name on its gifts.",
  examples: ['Payroll'],
});
const scopes = Type.Array(Type.String({ maxLength: 50 }), {
  minItems: 1,
  maxItems: 50,
  uniqueItems: true,
  description: 'The scopes. A token cannot have more permissions than its creator.',
  examples: [['orders:write', 'orders:read']],
});
const rateLimit = { minimum: 1, maximum: 1_000_000_000, description: 'Requests per minute; null: no limit.' };

export const NewToken = named(
  'NewToken',
  Type.Object(
    {
      name,
      scopes: Type.Optional(scopes),
      member: Type.Optional(
        Type.String({
          maxLength: longest.email,
          format: 'text',
          description: 'Email, employee number or id of the member it acts as; if absent, a member of its own.',
        }),
      ),
      expiresInDays: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 3_650, description: 'After how many days it ends; if absent, never.' }),
      ),
      rateLimitPerMinute: Type.Optional(Type.Integer(rateLimit)),
    },
    {
      description:
        'A token to make. Without scopes it gets all that the caller has, except tokens:manage and users:manage, which let others in, and orders:delegate, which spends the budgets of others. A caller who has nothing else must name the scopes.',
      examples: [{ name: 'Payroll', scopes: ['orders:read'], expiresInDays: 90 }],
    },
  ),
);
export type NewToken = Static<typeof NewToken>;

const tokenFields = {
  id: Type.Integer({ description: 'Identifies the token.', examples: [3] }),
  name: nullable<string>('string', { description: 'What it is for.', examples: ['Payroll'] }),
  hint: Type.String({ description: 'The last four characters of its secret.', examples: ['x7Qa'] }),
  scopes: Type.Array(Type.String(), { description: 'What it may do.', examples: [['orders:write']] }),
  workspaces: Type.Array(Type.Integer(), { description: 'The workspaces that it may use.', examples: [[1]] }),
  rateLimitPerMinute: nullable<number>('integer', rateLimit),
  createdAt: aMoment('When it was made.'),
  lastUsedAt: aMomentOrNull('When it was last used, within about ten minutes; null: never.'),
  expiresAt: aMomentOrNull('When it ends; null: never.'),
  revokedAt: aMomentOrNull('When it was revoked; null: it was not.'),
};

export const Token = named(
  'Token',
  Type.Object(
    {
      ...tokenFields,
      requestsByDay: Type.Array(Type.Integer(), {
        description:
          'How many of its requests this workspace let in on each of the past 30 days, today last. The latest requests are counted within a minute.',
        examples: [Array.from({ length: 30 }, (_, day) => (day % 7 < 5 ? 40 : 2))],
      }),
    },
    { description: 'An API token, without its secret.' },
  ),
);
export type Token = Static<typeof Token>;

export const TokenWithSecret = named(
  'TokenWithSecret',
  Type.Object(
    {
      ...tokenFields,
      token: Type.String({ description: 'The secret. It is shown this once.', examples: ['gw_live_…'] }),
    },
    { description: 'An API token with its secret.' },
  ),
);
export type TokenWithSecret = Static<typeof TokenWithSecret>;

export const TokenRotation = named(
  'TokenRotation',
  Type.Object(
    {
      overlapHours: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 720,
          description: 'How long the old secret still works; 0 or absent: it ends at once.',
        }),
      ),
    },
    { description: 'How a token gets a new secret.', examples: [{ overlapHours: 24 }] },
  ),
);
export type TokenRotation = Static<typeof TokenRotation>;

export const TokenParams = Type.Object({
  id: anId('The id of the token.'),
});

export const TokenQuery = strictQuery({
  state: Type.Optional(
    oneOf(['ACTIVE', 'ENDED'], {
      description: 'Only tokens that work, or only those that were revoked or have expired.',
    }),
  ),
  size: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Tokens on a page.' }),
  after: Type.Optional(anId('The `next` of the page before.')),
});
export type TokenQuery = Static<typeof TokenQuery>;

export const TokenPage = named(
  'TokenPage',
  Type.Object(
    {
      tokens: Type.Array(ref(Token), { description: 'The newest first.' }),
      next: nullable<number>('integer', { description: 'Where the next page begins; null on the last page.' }),
    },
    { description: 'A page of tokens.' },
  ),
);
export type TokenPage = Static<typeof TokenPage>;

export const tokenSchemas = [NewToken, Token, TokenWithSecret, TokenRotation, TokenPage];
