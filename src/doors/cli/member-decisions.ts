import type { Command } from 'commander';
import { placeHold, releaseHold } from '../../company/directory/holds.ts';
import { keepOut, letIn } from '../../company/directory/kept-out.ts';
import { findMember } from '../../company/directory/members.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import type { MemberRights } from '../../ground/contract/member-rights.ts';
import { Failure } from '../../ground/errors.ts';
import { readMemberRights } from '../../insight/rights/member-rights.ts';
import { forWorkspace } from './arguments.ts';
import { print } from './output.ts';
import { withDatabase } from './session.ts';

/** What a company decides about the data of a person, with a reason, until it ends that. */
interface Decision {
  name: string;
  description: string;
  reason: string;
  /** The option that ends it. */
  end: string;
  endDescription: string;
  missing: string;
  begins: typeof placeHold;
  ends: typeof releaseHold;
  sentence: (rights: MemberRights) => string;
}

const decisions: readonly Decision[] = [
  {
    name: 'hold',
    description: 'place a legal hold: the person cannot be erased until it is released',
    reason: 'why the data is kept; it is in the audit log',
    end: 'release',
    endDescription: 'release the hold',
    missing: 'Say --reason to place a hold, or --release to end it.',
    begins: placeHold,
    ends: releaseHold,
    sentence: ({ hold }) =>
      hold ? 'On legal hold: this person cannot be erased.' : 'Released: this person can be erased again.',
  },
  {
    name: 'keep-out',
    description: 'keep a person out of reports about individuals, the feed and automations',
    reason: 'why; it is in the audit log',
    end: 'lift',
    endDescription: 'let the person in again',
    missing: 'Say --reason to keep a person out, or --lift to let them in again.',
    begins: keepOut,
    ends: letIn,
    sentence: ({ keptOut }) =>
      keptOut ? 'Kept out of reports about individuals.' : 'Let in: reports about individuals have this person again.',
  },
];

interface Options {
  workspace: number;
  reason?: string;
  json?: boolean;
  end?: boolean;
}

/** `members hold` and `members keep-out`. */
export function addDecisionCommands(members: Command): void {
  for (const decision of decisions)
    forWorkspace(members.command(decision.name))
      .argument('<member>', 'email, employee number or id of the person')
      .description(decision.description)
      .option('--reason <text>', decision.reason)
      .option(`--${decision.end}`, decision.endDescription)
      .action((who: string, options: Options & Record<string, unknown>) =>
        decide(decision, who, { ...options, end: options[decision.end] === true }),
      );
}

async function decide(decision: Decision, who: string, { workspace, reason, end, json }: Options): Promise<void> {
  if ((reason === undefined) === !end) throw new Failure('invalid', decision.missing);
  const rights = await withDatabase(async (database) => {
    const id = await findMember(database, workspace, who);
    return database.transaction(async (tx) => {
      if (reason === undefined) await decision.ends(tx, atTheCommandLine, workspace, id);
      else await decision.begins(tx, atTheCommandLine, workspace, id, reason);
      return readMemberRights(tx, workspace, id);
    });
  });
  print(json, rights, () => decision.sentence(rights));
}
