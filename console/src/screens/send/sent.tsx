import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { findApproval } from '../../data/approval.ts';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Fault } from '../../parts/fault.tsx';
import { GoButton } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import { useAskedNames } from '../approvals/asked.ts';
import type { Draft } from './draft.ts';
import { TakeBack } from './take-back.tsx';

interface SentProps {
  requestId: string;
  draft: Draft;
  onAnother: () => void;
  /** The same gift once more, to be changed: it was taken back. */
  onAgain: () => void;
}

/** The gift is on its way, or waits for approval: to whom, when it arrives, and where to follow it. */
export function Sent({ requestId, draft, onAnother, onAgain }: SentProps) {
  const { send, approvals } = useWords();
  const { money, list, moment, date } = useFormats();
  const namesOf = useAskedNames();
  const can = useCan();
  const { me } = useHere();
  const { recipients, amount, currency, deliverAt } = draft;
  const approval = useQuery({
    queryKey: ['approvals', 'of order', requestId],
    queryFn: ({ signal }) => findApproval(requestId, signal),
    enabled: can('approvals:read'),
  });
  const { data: order, error } = useQuery({
    queryKey: ['orders', requestId, 'outcome'],
    queryFn: async ({ signal }) => {
      await giftwire.orders.issued(requestId, { signal });
      return giftwire.orders.details(requestId, { size: 2 }, { signal });
    },
    // An order that waits has no gifts for now.
    enabled: can('gifts:manage') && !approval.isLoading && approval.data?.state !== 'WAITING',
  });
  const [taken, setTaken] = useState<{ wasMailed: boolean } | null>(null);
  const [gift, another] = order?.lines ?? [];
  const names = recipients.slice(0, 3).map((one) => nameOf(one));
  const rest = recipients.length - names.length;
  const who = list(rest > 0 ? [...names, send.others(rest)] : names);
  const sum = money(amount ?? 0, currency);
  const isInOutbox = me.environment === 'test' && deliverAt === '';
  if (approval.isLoading)
    return (
      <Page title={send.title}>
        <Waiting />
      </Page>
    );
  if (approval.data?.state === 'WAITING')
    return (
      <Page title={send.title}>
        <Empty
          title={send.waitsFor(sum, who)}
          action={
            <>
              <GoButton to={`/approvals/${requestId}`} variant="filled" mr={8}>
                {send.seeApproval}
              </GoButton>
              <Button onClick={onAnother}>{send.another}</Button>
            </>
          }
        >
          {send.waitsText(namesOf(approval.data.asked) || approvals.noneAsked, date(approval.data.decideBy))}
        </Empty>
      </Page>
    );
  if (taken)
    return (
      <Page title={send.title}>
        <Empty
          title={send.takenBack(sum, who)}
          action={
            <>
              <Button variant="filled" mr={8} onClick={onAgain}>
                {send.changeAndSend}
              </Button>
              <Button onClick={onAnother}>{send.another}</Button>
            </>
          }
        >
          {taken.wasMailed ? send.wasMailed : send.wasNotMailed}
        </Empty>
      </Page>
    );
  return (
    <Page title={send.title}>
      <Empty
        title={deliverAt === '' ? send.onItsWay(sum, who) : send.scheduled(sum, who, moment(new Date(deliverAt)))}
        action={
          <>
            {gift?.giftId && can('gifts:read') && (
              <GoButton to={another ? `/orders/${requestId}` : `/gifts/${gift.giftId}`} variant="filled" mr={8}>
                {another ? send.followOrder : send.followGift}
              </GoButton>
            )}
            {isInOutbox && can('settings:read') && can('gifts:manage') && (
              <GoButton to="/integrations/mail" mr={8}>
                {send.seeMail}
              </GoButton>
            )}
            <Button onClick={onAnother} data-autofocus>
              {send.another}
            </Button>
            {order && can('gifts:manage') && (
              <TakeBack requestId={requestId} onTaken={(wasMailed) => setTaken({ wasMailed })} />
            )}
          </>
        }
      >
        {isInOutbox ? send.inOutbox : send.next}
      </Empty>
      <Fault error={error} />
    </Page>
  );
}
