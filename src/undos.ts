import { roleUndo } from './company/access/undo-role.ts';
import { mergeUndo } from './company/directory/undo-merge.ts';
import { importUndo } from './company/import/undo-import.ts';
import type { UndoKind } from './company/undo/undo.ts';
import { isEmailed } from './giving/delivery/emailed.ts';
import { giftsReceived, hasGift } from './giving/gifts/received.ts';
import { isSender } from './giving/orders/sent.ts';
import { reasonUndo } from './giving/recognition/reasons.ts';
import { hasActivity, recognitionOfPerson } from './giving/recognition/recount.ts';
import { isToBeErased } from './insight/rights/asked.ts';

/** What can be undone for a while: the kinds of change, each declared by the module that makes it. */
export const undoKinds: readonly UndoKind[] = [
  mergeUndo(recognitionOfPerson(giftsReceived('before'))),
  importUndo([hasGift('m'), hasActivity('m'), isEmailed('m'), isSender('m'), isToBeErased('m')]),
  roleUndo,
  reasonUndo,
];
