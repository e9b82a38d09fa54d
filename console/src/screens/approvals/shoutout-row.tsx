import type { Shoutout } from '@giftwire/sdk';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { nameOf } from '../../parts/name.ts';
import { When } from '../../parts/when.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { DecideButtons } from './decide-buttons.tsx';
import { type Overtaken, useShoutoutDecision } from './use-decision.ts';

interface ShoutoutRowProps {
  shoutout: Shoutout;
  isOpen: boolean;
  onOvertaken: (found: Overtaken) => void;
}

/** A shoutout that waits, in the words of its sender. */
export function ShoutoutRow({ shoutout, isOpen, onOvertaken }: ShoutoutRowProps) {
  const { approvals: words } = useWords();
  const { sender, receiver, description, reason, isPrivate, createdAt } = shoutout;
  return (
    <li>
      <Face name={nameOf(sender)} />
      <div>
        <p>
          <b>{nameOf(sender)}</b> {words.thanks} <b>{nameOf(receiver)}</b>
        </p>
        <blockquote className="letter">{description}</blockquote>
        <p className="quiet small">
          {[reason.description, isPrivate && words.isPrivate].filter(Boolean).join(' · ')} · {words.since('')}
          <When time={createdAt} />
        </p>
      </div>
      <div className={styles.amount}>
        <b>{words.shoutout}</b>
        <span className="quiet small">{words.noGift}</span>
      </div>
      {isOpen && <Decide shoutout={shoutout} onOvertaken={onOvertaken} />}
    </li>
  );
}

function Decide({ shoutout, onOvertaken }: Omit<ShoutoutRowProps, 'isOpen'>) {
  const { approvals: words, recognition } = useWords();
  const [isDeclining, setDeclining] = useState(false);
  const [reason, setReason] = useState('');
  const names = [nameOf(shoutout.sender), nameOf(shoutout.receiver)] as const;
  const { mutate, isPending, error } = useShoutoutDecision({ onOvertaken });
  return (
    <div className={styles.decide}>
      <DecideButtons
        declineOf={recognition.declineOf(...names)}
        approveOf={recognition.approveOf(...names)}
        isApproving={isPending && !isDeclining}
        onDecline={() => setDeclining(true)}
        onApprove={() => mutate({ shoutout, decision: 'APPROVED' })}
      />
      {!isDeclining && <Fault error={error} />}
      {isDeclining && (
        <FormDialog
          isOpen
          onClose={() => setDeclining(false)}
          title={recognition.declineTitle}
          save={words.decline}
          isDangerous
          onSave={() => mutate({ shoutout, decision: 'DECLINED', reason: reason.trim() })}
          isSaving={isPending}
          fault={error}
        >
          <p>{recognition.declineText(names[1])}</p>
          <Textarea
            data-autofocus
            label={recognition.declineReason}
            description={recognition.declineReasonHint}
            maxLength={1_000}
            autosize
            minRows={2}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        </FormDialog>
      )}
    </div>
  );
}
