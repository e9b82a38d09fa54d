import Type from 'typebox';

/** The id of a history of the database. */
export const history = Type.String({
  format: 'uuid',
  description:
    'The history of the database. A new one starts when the database was restored: what happened after the backup is lost then, and numbers continue far ahead.',
  examples: ['019a8c1e-6a2b-4d4c-8e1f-2a3b4c5d6e7f'],
});
