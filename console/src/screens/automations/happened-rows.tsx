import type { Automation, Occurrence, PlannedOccurrence } from '@giftwire/sdk';
import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { useOpened, versionOf } from '../../data/version.ts';
import { Face } from '../../parts/face.tsx';
import { faultText } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Go } from '../../parts/link.tsx';
import { Money } from '../../parts/money.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automations.module.css';
import { useSkip } from './month-table.tsx';
import { useOccasion } from './occasion.ts';
import { OccurrencePill } from './states.tsx';
import { cityOf } from './zone.ts';

interface WhoProps {
  memberId: number;
  name: string;
  what: string;
}

function Who({ memberId, name, what }: WhoProps) {
  return (
    <span className={styles.who}>
      <Face name={name} />
      <span>
        <Go to={`/people/${memberId}`}>{name}</Go>
        <p className="quiet small">{what}</p>
      </span>
    </span>
  );
}

/** What comes, which can be skipped. */
export function ToComeRow({ planned, automation }: { planned: PlannedOccurrence; automation: Automation }) {
  const { automations: words, parts } = useWords();
  const { momentIn } = useFormats();
  const canManage = useCan()('automations:manage');
  const occasionOf = useOccasion();
  const skip = useSkip(automation.id);
  const { memberId, firstName, lastName, dueAt, timeZone, amount, isSkipped } = planned;
  const name = `${firstName} ${lastName}`.trim();
  return (
    <li className={styles.one}>
      <time className="quiet small figure" dateTime={dueAt}>
        {momentIn(dueAt, timeZone)}
      </time>
      <Who memberId={memberId} name={name} what={occasionOf(automation, planned)} />
      <span>
        <b>
          {amount !== null && automation.action.currency ? (
            <Money amount={amount} currency={automation.action.currency} />
          ) : (
            words.actionKinds[automation.action.is]
          )}
        </b>
      </span>
      <span className="second">
        {isSkipped ? words.months.skipped : words.zone(cityOf(timeZone))}
        {skip.error && <span role="alert"> {faultText(skip.error, parts)}</span>}
      </span>
      <span className={styles.acts}>
        {canManage && (
          <Button
            size="compact-sm"
            loading={skip.isPending}
            aria-label={isSkipped ? undefined : words.months.skipOf(name)}
            onClick={() => skip.mutate(planned)}
          >
            {isSkipped ? words.months.unskip : words.months.skip}
          </Button>
        )}
      </span>
    </li>
  );
}

interface HappenedRowProps {
  occurrence: Occurrence;
  /** Absent: it was deleted. */
  automation: Automation | undefined;
}

/** What happened or could not happen, why, and what can be done. */
export function HappenedRow({ occurrence, automation }: HappenedRowProps) {
  const { automations: words, parts } = useWords();
  const { time, shortDay } = useFormats();
  const can = useCan();
  const occasionOf = useOccasion();
  const queries = useQueryClient();
  const [isWriting, setWriting] = useState(false);
  const { id, memberId, firstName, lastName, state, amount, requestId, forDay, dueAt } = occurrence;
  const name = `${firstName} ${lastName}`.trim();
  const send = useMutation({
    mutationFn: () => giftwire.automations.send(id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['automations'] });
      tell(words.sent(name));
    },
  });
  const skip = useSkip(occurrence.automationId);
  const canManage = can('automations:manage');
  const what = automation ? occasionOf(automation, occurrence) : occurrence.automationName;
  const error = send.error ?? skip.error;
  return (
    <li className={styles.one}>
      <time className="quiet small figure" dateTime={dueAt}>
        {time(dueAt)}
      </time>
      <Who memberId={memberId} name={name} what={`${what}, ${shortDay(forDay)}`} />
      <span>
        <OccurrencePill occurrence={occurrence} />
      </span>
      <span className="second">
        <Said occurrence={occurrence} />
        {requestId && can('orders:read') && (
          <>
            {' '}
            <Go to={`/orders/${requestId}`}>{words.see}</Go>
          </>
        )}
        {error && <p role="alert">{faultText(error, parts)}</p>}
      </span>
      <span className={styles.acts}>
        {canManage && canBeSent(occurrence) && (
          <Button
            size="compact-sm"
            aria-label={words.sendOf(name)}
            loading={send.isPending}
            onClick={() => send.mutate()}
          >
            {amount === null ? words.sendPlain : words.send}
          </Button>
        )}
        {canManage && state === 'ASKED' && (
          <>
            <Button size="compact-sm" aria-label={words.addLineTo(name)} onClick={() => setWriting(true)}>
              {words.addLine}
            </Button>
            <Button
              size="compact-sm"
              aria-label={words.months.skipOf(name)}
              loading={skip.isPending}
              onClick={() => skip.mutate({ ...occurrence, isSkipped: false })}
            >
              {words.months.skip}
            </Button>
          </>
        )}
      </span>
      {isWriting && <OpenedLine occurrence={occurrence} name={name} onClose={() => setWriting(false)} />}
    </li>
  );
}

function canBeSent({ state, reason }: Occurrence): boolean {
  return state === 'NOT_DONE' || state === 'MESSAGE_ONLY' || (state === 'SKIPPED' && reason !== 'ALREADY_DONE');
}

/** What happened, in words. */
function Said({ occurrence }: { occurrence: Occurrence }) {
  const { automations: words } = useWords();
  const { money, shortDay } = useFormats();
  const { state, reason, detail, amount, currency, daysLate, isWaiting, line, forDay } = occurrence;
  const price = amount !== null && currency ? money(amount, currency) : null;
  const sentences = [
    state === 'SENT' && price && `${price}.`,
    isWaiting && words.waitsForApproval,
    state === 'ASKED' && words.asked,
    (state === 'DUE' || state === 'SENDING') && words.goesOut,
    reason && words.reasons[reason],
    (reason === 'REJECTED' || reason === 'DECLINED') && detail,
    reason === 'NO_MONEY' && price && words.ofGift(price),
    daysLate > 0 && words.caughtUp(shortDay(forDay)),
    line && words.lineAdded(line),
  ];
  return sentences.filter(Boolean).join(' ');
}

interface LineDialogProps {
  occurrence: Occurrence;
  name: string;
  onClose: () => void;
}

/** Begins with the line that the message has when the dialog opens. */
function OpenedLine(props: LineDialogProps) {
  const { id } = props.occurrence;
  const { data, error } = useOpened(['occurrences', id], (options) => giftwire.automations.occurrence(id, options));
  return data || error ? <LineDialog {...props} occurrence={data ?? props.occurrence} /> : null;
}

function LineDialog({ occurrence, name, onClose }: LineDialogProps) {
  const { automations: words } = useWords();
  const queries = useQueryClient();
  const [ifMatch] = useState(() => versionOf(occurrence));
  const [line, setLine] = useState(occurrence.line ?? '');
  const stale = () => queries.invalidateQueries({ queryKey: ['automations'] });
  const save = useMutation({
    mutationFn: () => giftwire.automations.addLine(occurrence.id, line.trim() || null, { ifMatch }),
    onError: stale,
    onSuccess: async () => {
      await stale();
      onClose();
    },
  });
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={words.addLineTo(name)}
      cancel={words.cancel}
      save={words.saveLine}
      isSaving={save.isPending}
      fault={save.error}
      onSave={() => save.mutate()}
    >
      <Textarea
        label={words.line}
        description={words.lineHint}
        autosize
        minRows={3}
        maxLength={300}
        data-autofocus
        value={line}
        onChange={({ target }) => setLine(target.value)}
      />
    </FormDialog>
  );
}
