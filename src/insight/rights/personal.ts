import { because, personal, type TableOfData, technical, technicalColumns } from '../../ground/values/personal.ts';

export const rightsData: readonly TableOfData[] = [
  {
    table: 'erasures',
    holds: 'whose erasure was asked for',
    columns: {
      state: technical(because.word),
      ...technicalColumns('the kind and the id of a user or a token, without a name', 'requested_by', 'confirmed_by'),
      traces: personal({
        of: ['described'],
        what: 'the names and addresses that are searched for in texts',
        why: 'the erasure resumes after a restart',
        erasedBy: 'removed as soon as everything else is',
        kept: 'while the erasure runs, which takes minutes',
      }),
    },
  },
  {
    table: 'erasure_checks',
    holds: 'when the list of erased people was compared with a restored database',
    columns: {},
  },
  {
    table: 'erasure_runs',
    holds: 'how far erasures have come',
    columns: technicalColumns('names of steps, keys of rows', 'step', 'after_key'),
  },
];
