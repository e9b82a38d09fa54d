import Type, { type Static } from 'typebox';
import { retentionKinds } from '../values/retention-kinds.ts';
import { keepsNull, named, nullable, oneOf, ref } from './schema.ts';

const mostDays = 36_500;

const kind = oneOf([...retentionKinds], { description: 'What is kept.', examples: ['emails'] });

export const RetentionRule = named(
  'RetentionRule',
  Type.Object(
    {
      kind,
      days: nullable<number>('integer', {
        description: 'For how many days it is kept; null: as long as the workspace exists.',
        examples: [730],
      }),
      isUsual: Type.Boolean({ description: 'Whether the workspace has set nothing else.' }),
      usualDays: nullable<number>('integer', {
        description: 'For how many days it is kept unless the workspace sets another number.',
        examples: [730],
      }),
      leastDays: Type.Integer({ description: 'The fewest days that can be set.', examples: [30] }),
      mostDays: Type.Integer({ description: 'The most days that can be set.', examples: [mostDays] }),
      removed: Type.Integer({ description: 'How many records have been removed so far.', examples: [0] }),
      what: Type.String({ description: 'What is removed.' }),
      why: Type.String({ description: 'Why it is kept, and for so long.' }),
    },
    { description: 'How long one kind of record is kept.' },
  ),
);
export type RetentionRule = Static<typeof RetentionRule>;

export const RetentionRules = named(
  'RetentionRules',
  Type.Object({ kinds: Type.Array(ref(RetentionRule)) }, { description: 'How long everything is kept.' }),
);
export type RetentionRules = Static<typeof RetentionRules>;

export const RetentionChange = named(
  'RetentionChange',
  Type.Object(
    {
      changes: Type.Optional(
        Type.Array(
          Type.Object(
            {
              kind,
              days: Type.Optional(
                nullable<number>('integer', {
                  minimum: 1,
                  maximum: mostDays,
                  description:
                    'For how many days it is kept; null: as long as the workspace exists. Leave it out for the default.',
                }),
              ),
            },
            { [keepsNull]: true },
          ),
          { maxItems: retentionKinds.length, description: 'The kinds that change; others stay.' },
        ),
      ),
    },
    { description: 'What to change.', examples: [{ changes: [{ kind: 'emails', days: 365 }] }] },
  ),
);
export type RetentionChange = Static<typeof RetentionChange>;

export const RetentionPreview = named(
  'RetentionPreview',
  Type.Object(
    {
      due: Type.Array(
        Type.Object({
          kind,
          rows: Type.Integer({ description: 'How many records the next run removes.', examples: [12] }),
        }),
      ),
    },
    { description: 'What the next run removes. A run begins once a day.' },
  ),
);
export type RetentionPreview = Static<typeof RetentionPreview>;

export const retentionSchemas = [RetentionRule, RetentionRules, RetentionChange, RetentionPreview];
