import type { UndoableChange } from '@giftwire/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { giftwire } from '../data/client.ts';
import { useWords } from '../words/words.tsx';
import { tell } from './tell.tsx';

const hourMs = 3_600_000;

/** How many hours are left, at least one. */
export function hoursLeft(expiresAt: string): number {
  return Math.max(Math.round((Date.parse(expiresAt) - Date.now()) / hourMs), 1);
}

type Kind = UndoableChange['kind'];

/** Says that something is done, with an undo and the time left. Where it cannot be undone, for example a very large import, it says only that. */
export function useTellUndoable() {
  const { undo: words } = useWords();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const undo = async (id: string) => {
    try {
      await giftwire.undos.undo(id);
      await queries.invalidateQueries();
      tell(words.undone);
    } catch {
      // The list says why, and offers it again.
      await navigate({ to: '/people/undo' as never });
    }
  };
  return async (text: string, kind: Kind, subjectId: number | null) => {
    await queries.invalidateQueries({ queryKey: ['undo'] });
    const changes = await giftwire.undos.list().catch(() => []);
    const latest = changes.find((one) => one.kind === kind && one.subjectId === subjectId);
    if (!latest) return tell(text);
    const label = `${words.undo} · ${words.hours(hoursLeft(latest.expiresAt))}`;
    tell(text, { label, run: () => void undo(latest.id) });
  };
}
