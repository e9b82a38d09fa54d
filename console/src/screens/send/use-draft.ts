import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useFilters } from '../../data/filters.ts';
import { useHere, useOwner } from '../../data/me.tsx';
import { randomId } from '../../data/random-id.ts';
import { usualCurrency } from '../../gift/terms.ts';
import type { Draft } from './draft.ts';
import { recipientOf } from './recipients.tsx';

interface Kept {
  id: string;
  draft: Draft;
}

/**
 * The draft of a gift. It is kept for its user while the window is open, until it is sent, so that a reload loses nothing,
 * and a lost answer can be asked for again. `?to=17,18` begins with these members: links from people lead here.
 */
export function useDraft() {
  const { workspace } = useHere();
  const { workspaceId, userId } = useOwner();
  const place = `giftwire.draft.${workspaceId}.${userId}`;
  const [{ to = '' }, changeFilters] = useFilters();
  const blank = (): Kept => ({
    id: randomId(),
    draft: {
      recipients: [],
      amount: null,
      currency: usualCurrency(workspace.id, workspace.language),
      message: '',
      reasonId: null,
      language: workspace.language,
      deliverAt: '',
      note: '',
    },
  });
  const [kept, setKept] = useState<Kept>(() => readKept(place, blank()));
  useEffect(() => sessionStorage.setItem(place, JSON.stringify(kept)), [place, kept]);

  const ids = to
    .split(',')
    .filter((one) => /^[1-9]\d{0,14}$/.test(one))
    .slice(0, 50)
    .map(Number);
  const { data: named, error } = useQuery({
    queryKey: ['people', 'named', ids],
    queryFn: ({ signal }) => Promise.all(ids.map((id) => giftwire.members.retrieve(id, { signal }))),
    enabled: ids.length > 0,
  });
  useEffect(() => {
    if (!named) return;
    setKept((before) => ({ ...before, draft: { ...before.draft, recipients: named.map(recipientOf) } }));
    changeFilters({ to: null });
  }, [named, changeFilters]);

  return {
    draftId: kept.id,
    draft: kept.draft,
    /** What went wrong with the people of the address. */
    error,
    change: (changes: Partial<Draft>) => setKept((before) => ({ ...before, draft: { ...before.draft, ...changes } })),
    /** Forgets a gift that was sent. Sent again with its key, it would only give the same order. */
    forget: () => sessionStorage.removeItem(place),
    /** A new gift in the same currency and language. */
    startOver: () => setKept(blank()),
    /** The same gift as another order: the one before was taken back. */
    sendAgain: () => setKept(({ draft }) => ({ id: randomId(), draft })),
  };
}

/** A draft that another version has kept may lack fields. */
function readKept(place: string, blank: Kept): Kept {
  const text = sessionStorage.getItem(place);
  if (text === null) return blank;
  const kept = JSON.parse(text) as Kept;
  return { ...kept, draft: { ...blank.draft, ...kept.draft } };
}
