import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { findPerson, type KnownPeople, type NamedPerson, refusals } from '../../company/directory/recipient-rules.ts';
import type { ShoutoutRequest } from '../../ground/contract/shoutout.ts';
import type { Fault } from '../../ground/errors.ts';
import { notOffered } from './reasons.ts';

export interface Asked {
  workspace: WorkspaceGrant;
  shoutout: ShoutoutRequest;
}

/** A shoutout with what it is checked against. */
export interface Checked extends Asked {
  recipient: NamedPerson;
  /** The sender that was named; null if it is the member behind the token. */
  sender: NamedPerson | null;
  /** The member behind the token; a merged record is resolved to the surviving one. */
  self: number;
  reasons: ReadonlySet<number>;
  /** The recipient is named by an employee number that none of the manager's reports has. */
  isUnseen: boolean;
}

/** Returns what is wrong with a shoutout in its workspace; nothing if it can be recorded. */
export function shoutoutFaults(known: KnownPeople, checked: Checked): Fault[] {
  const { workspace, shoutout, recipient, sender, self, reasons, isUnseen } = checked;
  const receiving = findPerson(known, recipient);
  const sending = sender ? findPerson(known, sender) : undefined;
  const isSelf = receiving !== undefined && (sender ? receiving === sending : receiving.id === self);
  if (isUnseen) return [{ path: 'recipient.employeeNumber', problem: refusals.isUnseen }];
  const faults: Fault[] = [];
  if (receiving?.hasLeft && !workspace.acceptsLeavers)
    faults.push({ path: 'recipient', problem: refusals.hasLeft('shoutouts', workspace.onlyReportsOf) });
  if (!receiving && recipient.emailKey === null && workspace.refusesUnknownEmployeeNumbers)
    faults.push({ path: 'recipient.employeeNumber', problem: refusals.isUnknown });
  if (isSelf && !workspace.allowsSelfRecognition)
    faults.push({
      path: 'recipient',
      problem: 'is the sender: name another person, because people cannot recognize themselves in this workspace',
    });
  if (sender && !sending) faults.push({ path: 'sender', problem: refusals.isUnknown });
  else if (sending?.hasLeft) faults.push({ path: 'sender', problem: 'has left the workspace' });
  if (typeof shoutout.reasonId === 'number' && !reasons.has(shoutout.reasonId))
    faults.push({ path: 'reasonId', problem: notOffered });
  return faults;
}
