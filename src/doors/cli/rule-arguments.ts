import { InvalidArgumentError } from 'commander';
import type { PersonRole } from '../../company/access/roles.ts';
import { decidingRoles } from '../../giving/approvals/deciders.ts';
import { roleNames } from '../../ground/contract/me.ts';
import type { Approver, RuleSource } from '../../ground/contract/rule.ts';
import { dashedName, unitFields } from '../../ground/values/member.ts';
import { positiveInteger } from './arguments.ts';

const sources: Readonly<Record<string, (value: string) => RuleSource>> = {
  role: (value) => ({ role: roleOf(value, [...roleNames, 'EMPLOYEE']) }),
  ...Object.fromEntries(unitFields.map((name) => [dashedName(name), (value: string) => ({ [name]: value })])),
  team: (value) => ({ teamId: positiveInteger(value) }),
  token: (value) => ({ tokenId: positiveInteger(value) }),
  automation: (value) => ({ automationId: positiveInteger(value) }),
};

/** `role:MANAGER`, or `all` for the orders of everyone. */
export function ruleSource(text: string): RuleSource {
  if (text === 'all') return {};
  const at = text.indexOf(':');
  const [name, value] = [text.slice(0, at), text.slice(at + 1).trim()];
  const read = Object.hasOwn(sources, name) ? sources[name] : undefined;
  if (!read || value === '')
    throw new InvalidArgumentError(
      `It must be "all", or for example role:MANAGER, with one of ${Object.keys(sources).join(', ')}.`,
    );
  return read(value);
}

export function sourceText(source: RuleSource): string {
  const [given] = Object.entries(source).filter(([, value]) => value !== undefined);
  return given ? `${dashedName(given[0].replace(/Id$/, ''))}:${given[1]}` : 'all';
}

/** With commas: `manager` for the sender's manager, `role:APPROVER` for everyone with a role, `id:5` for a person. */
export function approverList(text: string): Approver[] {
  return text.split(',').map((part) => {
    const word = part.trim();
    const [is, value = ''] = word.split(':');
    if (word === 'manager') return { is: 'MANAGER' };
    if (is === 'id') return { is: 'MEMBER', memberId: positiveInteger(value) };
    if (is === 'role') return { is: 'ROLE', role: roleOf(value, decidingRoles) };
    throw new InvalidArgumentError('It must be manager, role:APPROVER or id:5, or several of these with commas.');
  });
}

export function approverText({ is, memberId, role }: Approver): string {
  if (is === 'MANAGER') return 'manager';
  return is === 'MEMBER' ? `id:${memberId}` : `role:${role}`;
}

function roleOf<R extends PersonRole>(text: string, roles: readonly R[]): R {
  const role = roles.find((one) => one === text.toUpperCase());
  if (!role) throw new InvalidArgumentError(`"${text}" must be one of ${roles.join(', ')}.`);
  return role;
}
