import Type, { type Static } from 'typebox';
import { Actor } from './actor.ts';
import { aMoment, aMomentOrNull, named, nullable, nullableRef, oneOf, ref } from './schema.ts';

/** What can be undone. The owner of each kind declares how. */
const kindNames = ['MEMBER_MERGE', 'MEMBER_IMPORT', 'USER_ROLE', 'REASON'] as const;
export type UndoKindName = (typeof kindNames)[number];

const id = Type.String({
  format: 'uuid',
  description: 'Identifies the change.',
  examples: ['019a8c1e-6a2b-7d4c-8e1f-2a3b4c5d6e7f'],
});
const people = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] });

export const UndoCounts = named(
  'UndoCounts',
  Type.Object(
    {
      added: people('People whom it has added, and whom undoing removes.', 12),
      changed: people('People whom it has changed, leavers and those who returned among them.', 4),
      left: people('People who left by it.', 1),
      returned: people('People who came back by it.', 0),
    },
    { description: 'What an import has done.' },
  ),
);
export type UndoCounts = Static<typeof UndoCounts>;

export const UndoableChange = named(
  'UndoableChange',
  Type.Object(
    {
      id,
      kind: oneOf([...kindNames], {
        description:
          'MEMBER_MERGE: two records of one person were merged. MEMBER_IMPORT: a file of people was imported. USER_ROLE: the role of a user was changed or taken away. REASON: a reason was retired.',
      }),
      subjectId: nullable<number>('integer', {
        description: 'The member who remained, the user or the reason; null for an import.',
        examples: [17],
      }),
      subjectName: nullable<string>('string', { description: 'The name of it today.', examples: ['Ada Okafor'] }),
      counts: nullableRef(UndoCounts, {
        description: 'What an import has done; null for other changes.',
      }),
      by: ref(Actor, { description: 'Who did it.' }),
      at: aMoment('When it was done.'),
      expiresAt: aMoment('Until when it can be undone.'),
      undoneAt: aMomentOrNull('When it was undone.'),
    },
    { description: 'A change that can be undone for a while.' },
  ),
);
export type UndoableChange = Static<typeof UndoableChange>;

export const UndoList = named(
  'UndoList',
  Type.Object(
    { changes: Type.Array(ref(UndoableChange), { description: 'The latest first, at most 100.' }) },
    { description: 'What the caller can still undo.' },
  ),
);

export const UndoParams = Type.Object({ id });
export const undoSchemas = [UndoCounts, UndoableChange, UndoList];
