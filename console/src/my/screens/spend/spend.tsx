import type { SpendingPreview } from '@giftwire/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useOpenGifts } from '../../data/open-gifts.ts';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { goTo, Link, usePlace } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useWords } from '../../words/words.tsx';
import { AskSpending } from './ask.tsx';
import { requestOf, useAsked } from './asked.ts';
import { Confirm } from './confirm.tsx';

/** Spending in three screens: how much and how, where it comes from, done. Nothing is spent before the second one is confirmed. */
export function Spend() {
  const { spend: words, frame } = useWords();
  const { search } = usePlace();
  const only = Number(search.get('gift')) || null;
  const page = useOpenGifts();
  const [preview, setPreview] = useState<SpendingPreview | null>(null);
  const asked = useAsked(page.data ?? null, only);
  const look = useMutation({
    mutationFn: (gifts: { giftId: number; amount: number }[] | null) =>
      giftwire.mySpending.preview(requestOf(asked.value, gifts)),
    onSuccess: setPreview,
  });
  const isConfirming = search.get('step') === 'from' && preview !== null;
  const toConfirm = () => goTo(`/spend?${new URLSearchParams({ ...(only && { gift: String(only) }), step: 'from' })}`);
  const firstParts = only ? [{ giftId: only, amount: asked.value.amount ?? 0 }] : null;
  return (
    <Screen title={words.title} back="/">
      <Fault error={page.error} retry={() => void page.refetch()} />
      {page.isPending && <Waiting hasSum />}
      {page.data?.totals.length === 0 && (
        <Empty
          isPage
          title={words.nothingTitle}
          action={
            <Link className="button plain" to="/">
              {frame.notFoundAction}
            </Link>
          }
        >
          {words.nothingText}
        </Empty>
      )}
      {page.data && page.data.totals.length > 0 && !isConfirming && (
        <AskSpending
          asked={asked}
          page={page.data}
          only={only}
          error={look.error}
          isPending={look.isPending}
          onLook={() => look.mutate(firstParts, { onSuccess: toConfirm })}
        />
      )}
      {page.data && isConfirming && (
        <Confirm
          request={asked.value}
          preview={preview}
          gifts={page.data.gifts}
          isOne={only !== null}
          look={look}
          onLookAgain={() => void page.refetch().then(() => look.mutate(firstParts))}
        />
      )}
    </Screen>
  );
}
