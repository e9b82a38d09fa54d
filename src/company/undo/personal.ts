import { because, personal, type TableOfData, technical, technicalColumns } from '../../ground/values/personal.ts';

const kept = '24 hours';

export const undoData: readonly TableOfData[] = [
  {
    table: 'undos',
    holds: 'changes that can still be undone',
    key: [['id', 'uuid']],
    rows: { did: `(t.actor = 'USER' and t.actor_id = any($3::bigint[]))`, described: ofTheirRole() },
    goes: ['described'],
    columns: {
      ...technicalColumns(because.word, 'kind', 'actor'),
      actor_name: personal({
        of: ['did', 'named'],
        what: 'the name of the person who made a change',
        why: 'people see whose change they undo',
        becomes: 'null',
        search: 'remove',
        kept,
      }),
      ...technicalColumns(because.counts, 'counts', 'detail'),
    },
  },
  {
    table: 'undo_members',
    holds: 'people as they were before a change that can still be undone',
    key: [
      ['undo_id', 'uuid'],
      ['member_id', 'bigint'],
    ],
    rows: { described: 't.member_id = any($2::bigint[])' },
    goes: ['described'],
    columns: {
      before: personal({
        of: ['described', 'named'],
        what: 'the fields, the addresses and the teams of the person before the change',
        why: 'a merge or an import can be undone',
        search: 'replaceFull',
        kept,
      }),
      manager_reference: personal({
        of: ['described', 'named'],
        what: 'the address or number of a manager who was not known yet',
        why: 'a merge or an import can be undone',
        search: 'remove',
        kept,
      }),
      after: technical('a hash that says whether the person was changed since; it goes with the row'),
    },
  },
];

function ofTheirRole(): string {
  return `(t.kind = 'USER_ROLE' and t.subject_id = any($3::bigint[]))`;
}
