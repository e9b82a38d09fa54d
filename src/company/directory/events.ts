import type { NewEvent } from '../../ground/contract/event.ts';
import { beforeCommit, type Queryable } from '../../ground/database/database.ts';
import { appendEvents } from '../events/log.ts';
import { momentOf } from '../workspaces/lock.ts';
import type { AddedRow, ChangedRow } from './write.ts';

/** What a transaction has done to one member, summed up over its statements. */
export interface MemberNote {
  id: number;
  isAdded: boolean;
  /** Whether a field changed, or the team. */
  isChanged: boolean;
  /** Whether they had left before the transaction; null if it says nothing about it. */
  hadLeft: boolean | null;
  hasLeft: boolean | null;
  mergedInto: number | null;
  /** The record that it was merged into, until the merge was undone. */
  unmergedFrom: number | null;
  isErased: boolean;
}

const nothing = {
  isAdded: false,
  isChanged: false,
  hadLeft: null,
  hasLeft: null,
  mergedInto: null,
  unmergedFrom: null,
  isErased: false,
};

type Notes = Map<number, MemberNote>;
const notesOf = new WeakMap<Queryable, Map<number, Notes>>();

/*
 * Every function of this module that writes members notes what it did. One request may write a member with several statements,
 * and that is one change: the events are made of the notes before the commit, in one statement.
 */

export function noteAdded(tx: Queryable, workspaceId: number, rows: readonly AddedRow[]): void {
  const people = rows.filter(({ isPerson }) => isPerson);
  note(
    tx,
    workspaceId,
    people.map(({ id, hasLeft }) => ({ ...nothing, id, isAdded: true, hadLeft: false, hasLeft })),
  );
}

export function noteChanged(tx: Queryable, workspaceId: number, rows: readonly ChangedRow[]): void {
  const people = rows.filter(({ isPerson }) => isPerson);
  note(
    tx,
    workspaceId,
    people.map(({ id, isChanged, hadLeft, hasLeft }) => ({ ...nothing, id, isChanged, hadLeft, hasLeft })),
  );
}

/** For statements that change one field of people, and return their ids. */
export function noteFieldChanged(tx: Queryable, workspaceId: number, rows: readonly { id: number }[]): void {
  note(
    tx,
    workspaceId,
    rows.map(({ id }) => ({ ...nothing, id, isChanged: true })),
  );
}

export function noteMerged(tx: Queryable, workspaceId: number, id: number, into: number): void {
  note(tx, workspaceId, [{ ...nothing, id, mergedInto: into }]);
}

/** A separate person again, who is here unless something else is noted. */
export function noteUnmerged(tx: Queryable, workspaceId: number, id: number, from: number): void {
  note(tx, workspaceId, [{ ...nothing, id, unmergedFrom: from, hadLeft: false }]);
}

/** A person who had not left has left by this. */
export function noteErased(tx: Queryable, workspaceId: number, id: number, hadLeft: boolean): void {
  note(tx, workspaceId, [{ ...nothing, id, hadLeft, hasLeft: true, isErased: true }]);
}

function note(tx: Queryable, workspaceId: number, notes: readonly MemberNote[]): void {
  if (notes.length === 0) return;
  const known = openNotes(tx, workspaceId);
  for (const one of notes) {
    const first = known.get(one.id);
    known.set(one.id, first ? combine(first, one) : one);
  }
}

function openNotes(tx: Queryable, workspaceId: number): Notes {
  const workspaces = notesOf.get(tx) ?? new Map<number, Notes>();
  const open = workspaces.get(workspaceId);
  if (open) return open;
  // Fails at once if the lock is not held.
  momentOf(tx, workspaceId);
  beforeCommit(tx, () => appendMemberEvents(tx, workspaceId));
  const notes: Notes = new Map();
  notesOf.set(tx, workspaces.set(workspaceId, notes));
  return notes;
}

function combine(first: MemberNote, next: MemberNote): MemberNote {
  return {
    id: first.id,
    isAdded: first.isAdded,
    isChanged: first.isChanged || next.isChanged,
    hadLeft: first.hadLeft ?? next.hadLeft,
    hasLeft: next.hasLeft ?? first.hasLeft,
    mergedInto: next.mergedInto ?? first.mergedInto,
    unmergedFrom: next.unmergedFrom ?? first.unmergedFrom,
    isErased: first.isErased || next.isErased,
  };
}

/** Takes what was noted so far, so that no events are made of it: an import has one event for all of it. */
export function takeNotes(tx: Queryable, workspaceId: number): MemberNote[] {
  const notes = notesOf.get(tx)?.get(workspaceId);
  const taken = [...(notes?.values() ?? [])];
  notes?.clear();
  return taken;
}

/** Appends the events of what was noted so far. Otherwise they come last in the transaction. */
export async function appendMemberEvents(tx: Queryable, workspaceId: number): Promise<void> {
  const notes = takeNotes(tx, workspaceId);
  if (notes.length > 0) await appendEvents(tx, workspaceId, momentOf(tx, workspaceId), notes.flatMap(eventsOf));
}

function eventsOf(change: MemberNote): NewEvent[] {
  const { id, isAdded, isChanged, mergedInto, unmergedFrom, isErased } = change;
  const isNew = isAdded || unmergedFrom !== null;
  const added: NewEvent[] = isAdded ? [{ type: 'member.added', data: { id } }] : [];
  if (unmergedFrom !== null) added.push({ type: 'member.unmerged', data: { id, from: unmergedFrom } });
  if (mergedInto !== null) return [...added, { type: 'member.merged', data: { id, into: mergedInto } }];
  const type = movement(change);
  return [
    ...added,
    ...(type ? [{ type, data: { id } }] : []),
    ...(isChanged && !isNew && !isErased ? [{ type: 'member.changed' as const, data: { id } }] : []),
    ...(isErased ? [{ type: 'member.erased' as const, data: { id } }] : []),
  ];
}

/** Null if they stay where they are. Those who leave and return in one transaction do. */
export function movement({ hadLeft, hasLeft }: MemberNote): 'member.left' | 'member.returned' | null {
  if (hadLeft === hasLeft) return null;
  return hasLeft ? 'member.left' : 'member.returned';
}
