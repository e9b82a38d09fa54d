import type { Backfill } from './company/workspaces/backfills.ts';

/**
 * What workers fill in the background for the schema of this version, in this sequence. A backfill stays here until a later release drops what
 * it filled from. docs/upgrades.md says how to write one.
 */
export const backfills: readonly Backfill[] = [];
