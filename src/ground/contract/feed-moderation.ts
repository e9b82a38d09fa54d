import Type, { type Static } from 'typebox';
import { FeedComment, FeedListQuery, FeedPerson, FeedPost } from './feed.ts';
import { aMoment, aMomentOrNull, anId, named, nullable, nullableRef, oneOf, ref, strictQuery } from './schema.ts';

export const NewReport = named(
  'NewReport',
  Type.Object(
    {
      why: Type.String({
        maxLength: 1_000,
        format: 'text',
        default: '',
        description: 'Why. The people team reads it, without the name of who wrote it.',
        examples: ['It is about my illness.'],
      }),
    },
    { description: 'What is wrong with a text.', examples: [{ why: 'It is about my illness.' }], required: [] },
  ),
);

export const CaseParams = Type.Object({ id: anId('The id of the case.', 5) });

export const CaseNote = named(
  'CaseNote',
  Type.Object(
    {
      note: Type.Optional(
        nullable<string>('string', {
          maxLength: 1_000,
          format: 'text',
          description: 'Why it was decided so, for the log.',
          examples: ['Health is private.'],
        }),
      ),
    },
    { description: 'A note for the log.', examples: [{ note: 'Health is private.' }] },
  ),
);

export const FeedCase = named(
  'FeedCase',
  Type.Object(
    {
      id: Type.Integer({ description: 'The id of the case.', examples: [5] }),
      post: ref(FeedPost, { description: 'The post that was reported, or whose comment was.' }),
      comment: nullableRef(FeedComment, { description: 'The comment that was reported; null if the post was.' }),
      reports: Type.Integer({ minimum: 1, description: 'How many people reported it. Who they are is never shown.' }),
      whys: Type.Array(Type.String(), { description: 'What they wrote.' }),
      firstAt: aMoment('When it was first reported.'),
      state: oneOf(['OPEN', 'KEPT', 'HIDDEN'], { description: 'OPEN: not decided yet.' }),
      decidedBy: nullableRef(FeedPerson, { description: 'Who decided; null while it is open.' }),
      decidedAt: aMomentOrNull('When it was decided.'),
      note: nullable<string>('string', { description: 'The note of who decided.' }),
    },
    { description: 'A post or a comment that was reported.' },
  ),
);
export type FeedCase = Static<typeof FeedCase>;

export const CaseQuery = strictQuery({
  state: oneOf(['OPEN', 'DECIDED'], { default: 'OPEN', description: 'Those to decide, or the log of decided ones.' }),
  ...FeedListQuery.properties,
});
export type CaseQuery = Static<typeof CaseQuery>;

export const FeedCases = named(
  'FeedCases',
  Type.Object(
    {
      cases: Type.Array(ref(FeedCase), { description: 'The newest first.' }),
      open: Type.Integer({ minimum: 0, description: 'How many are open.' }),
      next: nullable<string>('string', { description: 'Where the next page begins; null: this is the last one.' }),
    },
    { description: 'A page of cases.' },
  ),
);
export type FeedCases = Static<typeof FeedCases>;

export const feedModerationSchemas = [NewReport, CaseNote, FeedCase, FeedCases];
