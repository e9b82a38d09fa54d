import type { Queryable } from '../../ground/database/database.ts';
import type { UserRow } from './user-rows.ts';

/** The user or group that a change was about. */
export type Written = UserRow | { id: number; name: string };

/** Runs a change as the workspace's one writer. The caller notes in the same transaction who made it. */
export type Write = <T extends Written>(work: (tx: Queryable) => Promise<T>) => Promise<T>;
