import type { AuditEntry } from '@giftwire/sdk';
import type { PeopleList } from '../../../../src/ground/values/people-lists.ts';
import type { en } from '../../words/en/index.ts';

export interface Subject {
  text: string;
  /** Its screen, and the scope that opens it. */
  to?: string;
  scope?: string;
  /** The text says nothing without its link. */
  isLinkOnly?: true;
}

/** The kind of record that an action is about. */
export function kindOf(action: string): string {
  return action.split('.')[0] ?? '';
}

const screens: Record<string, { path: string; scope: string }> = {
  gift: { path: '/gifts/', scope: 'gifts:read' },
  order: { path: '/orders/', scope: 'orders:read' },
  member: { path: '/people/', scope: 'directory:read' },
  budget: { path: '/money/budgets/', scope: 'budgets:read' },
  webhook: { path: '/integrations/webhooks/', scope: 'webhooks:read' },
};

/** What an entry is about: its name, or words for it. Ids that say nothing to people are never shown. Null: there is nothing to say. */
export function subjectOf(
  { actor, actorId, action, subjectId, subjectName }: AuditEntry,
  words: (typeof en)['audit'],
): Subject | null {
  if (subjectId === null || (actor === 'USER' && kindOf(action) === 'user' && String(actorId) === subjectId))
    return null;
  // The printed gifts of an order are recorded under the order.
  const kind = isNumber(subjectId) || kindOf(action) !== 'gift' ? kindOf(action) : 'order';
  const screen = screens[kind];
  const link = screen && { to: `${screen.path}${subjectId}`, scope: screen.scope };
  if (kind === 'order') return { text: words.seeOrder, ...link, isLinkOnly: true };
  const text = subjectName ?? words.subjects[kind]?.(subjectId) ?? listName(action, subjectId, words) ?? null;
  return text === null ? null : { text, ...link };
}

function listName(action: string, id: string, { peopleLists }: (typeof en)['audit']): string | undefined {
  return action === 'people.listed' ? peopleLists[id as PeopleList] : undefined;
}

const isNumber = (id: string) => /^\d+$/.test(id);
