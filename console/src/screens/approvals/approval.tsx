import type { OrderApproval } from '@giftwire/sdk';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Go, GoButton } from '../../parts/link.tsx';
import { Facts, Letter, Page, Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { useIsAsked } from './asked.ts';
import { DecideForm } from './decide-form.tsx';
import { ApprovalPill, Note } from './decisions.tsx';
import { OvertakenNotice } from './overtaken.tsx';
import { ApprovalProgress, WhatNext } from './progress.tsx';
import type { Overtaken } from './use-decision.ts';
import { sumOf, useWhat } from './what.ts';

const waitingMs = 15_000;

/** The approval of one order, for those who decide it and for its sender. */
export default function ApprovalScreen() {
  const { requestId = '' } = useParams({ strict: false });
  const { screens } = useWords();
  const { data, error, refetch } = useQuery({
    queryKey: ['approvals', 'one', requestId],
    queryFn: ({ signal }) => giftwire.approvals.retrieve(requestId, { signal }),
    // Managers and approvers do not follow events.
    refetchInterval: ({ state }) => (state.data?.state === 'WAITING' ? waitingMs : false),
  });
  if (data) return <Shown approval={data} />;
  return (
    <Page title={screens.approval} above={<Go to="/approvals">{screens.approvals}</Go>}>
      {error ? <Fault error={error} retry={() => void refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function Shown({ approval }: { approval: OrderApproval }) {
  const { screens, approvals: words } = useWords();
  const { moment } = useFormats();
  const { workspace } = useHere();
  const can = useCan();
  const isAsked = useIsAsked();
  const whatOf = useWhat();
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const { requestId, state, sender, note, byAutomation, askedAt, recipient, message } = approval;
  const { gifts } = sumOf(approval);
  const seesOrders = can('orders:read') && !workspace.seesReportsOnly;
  const others = approval.batch && approval.batch.requestIds.length > 1 ? approval.batch.requestIds : null;
  return (
    <Page
      title={whatOf.order(approval)}
      beside={<ApprovalPill state={state} />}
      text={`${sender.name}, ${moment(askedAt)}`}
      above={<Go to="/approvals">{screens.approvals}</Go>}
      actions={seesOrders && !others && <GoButton to={`/orders/${requestId}`}>{words.seeOrder}</GoButton>}
    >
      {overtaken && <OvertakenNotice found={overtaken} onClose={() => setOvertaken(null)} />}
      <ApprovalProgress approval={approval} />
      <div className="two">
        <div>
          <Letter by={gifts === 1 ? sender.name : `${words.facts.first} ${recipient}`}>{message}</Letter>
          {note && (
            <Note by={byAutomation ? words.anAutomation : sender.name} hint={words.noteHint}>
              {note}
            </Note>
          )}
          {can('approvals:decide') && isAsked(approval) && (
            <DecideForm approval={approval} onOvertaken={setOvertaken} />
          )}
        </div>
        <div>
          <ApprovalFacts approval={approval} />
          {others && seesOrders && <Orders requestIds={others} />}
          {state === 'WAITING' && <WhatNext approval={approval} />}
        </div>
      </div>
    </Page>
  );
}

/** The orders that are decided together. */
function Orders({ requestIds }: { requestIds: readonly string[] }) {
  const { screens, approvals: words } = useWords();
  const { number } = useFormats();
  return (
    <Section title={screens.orders}>
      <p className={styles.parts}>
        {requestIds.map((requestId, nth) => (
          <Go key={requestId} to={`/orders/${requestId}`}>
            {words.order(number(nth + 1))}
          </Go>
        ))}
      </p>
    </Section>
  );
}

function ApprovalFacts({ approval }: { approval: OrderApproval }) {
  const { facts } = useWords().approvals;
  const { money, moment, number } = useFormats();
  const { sender, rule, currency, askedAt, decideBy, state, customerRequestId, batch } = approval;
  const { gifts, total } = sumOf(approval);
  const reference = batch?.name ?? customerRequestId;
  return (
    <Facts
      facts={[
        [facts.rule, rule.name],
        [facts.from, sender.name],
        [facts.gifts, number(gifts)],
        [facts.total, money(total, currency)],
        [facts.since, moment(askedAt)],
        ...(state === 'WAITING' ? [[facts.decideBy, moment(decideBy)] as const] : []),
        ...(reference ? [[facts.reference, reference] as const] : []),
      ]}
    />
  );
}
