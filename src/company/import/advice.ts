import type { DateProblem } from '../../ground/sheets/dates.ts';

/** What a person can do about a file that is not clear, in the terms of the entry point. Every text about such a file has its advice from here. */
export interface Advice {
  encoding: string;
  /** No column identifies a person. */
  columns: string;
  /** A column seems to say who has left. */
  openColumn: (header: string) => string;
  status: (text: string) => string;
  dates: Record<DateProblem, string>;
  damagedNumber: (number: string, whole: string) => string;
  /** An address is that of a member with another employee number. */
  renumber: (email: string) => string;
  split: (member: MemberNamed) => string;
  merge: (member: MemberNamed, into: number) => string;
}

interface MemberNamed {
  workspaceId: number;
  id: number;
}

export const commandAdvice: Advice = {
  encoding: 'name the encoding that it has, for instance --encoding windows-1252, or save it as UTF-8',
  columns: 'Say which is which with --map "Header=field".',
  openColumn: (header) => `Say what it is with --map "${header}=status", or with --map "${header}=ignore".`,
  status: (text) => `say what it means with --status "${text}=active" or --status "${text}=left"`,
  dates: {
    ambiguous: 'may be two days: say which with --date-format DD/MM/YYYY or MM/DD/YYYY',
    otherForm: 'is not of the form that --date-format says: write it so, or as 2026-03-31',
    notUnderstood: 'is not understood: write it as 2026-03-31, or say with --date-format how it is written',
  },
  damagedNumber: (number, whole) =>
    'write the whole number, or say which one it is with ' +
    `--value "employeeNumber:${number}=${whole}" or --value "employeeNumber:${number}=${number}"`,
  renumber: (email) => `import with --renumber ${email}`,
  split: ({ id, workspaceId }) => `run "giftwire member split id:${id} --move email --workspace ${workspaceId}" first`,
  merge: ({ id, workspaceId }, into) => `run "giftwire member merge id:${id} id:${into} --workspace ${workspaceId}"`,
};

/** For the console and for programs that call the service: words in brackets are parameters of the operation. */
export const serviceAdvice: Advice = {
  encoding: 'save it as UTF-8, or name the encoding that it has (encoding), for instance windows-1252',
  columns: 'Give one of them a name that is known, or choose which is which (map).',
  openColumn: (header) => `Choose what the column "${header}" is: a status, or nothing that counts (map).`,
  status: () => 'choose what it means, active or left (status)',
  dates: {
    ambiguous: 'may be two days: write it as 2026-03-31, or choose how dates are written',
    otherForm: 'is not of the form that was chosen: write it so, or as 2026-03-31',
    notUnderstood: 'is not understood: write it as 2026-03-31, or choose how dates are written',
  },
  damagedNumber: (number, whole) =>
    `write the whole number, or choose whether "${number}" means "${whole}" or itself (value)`,
  renumber: () => 'change the number of that member first, or allow new numbers (renumber)',
  split: ({ id }) => `split member ${id} first`,
  merge: ({ id }, into) => `merge member ${id} into member ${into}`,
};
