import type { OrderApproval } from '@giftwire/sdk';
import { Button, Textarea } from '@mantine/core';
import { useRef, useState } from 'react';
import { Fault } from '../../parts/fault.tsx';
import { Section } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { type Choice, type Overtaken, useOrderDecision } from './use-decision.ts';
import { useWhat } from './what.ts';

interface DecideFormProps {
  approval: OrderApproval;
  onOvertaken: (found: Overtaken) => void;
}

/** One decision about the whole order, with a comment that the sender reads. */
export function DecideForm({ approval, onOvertaken }: DecideFormProps) {
  const { approvals: words } = useWords();
  const whatOf = useWhat();
  const field = useRef<HTMLTextAreaElement>(null);
  const [comment, setComment] = useState('');
  const [isMissing, setMissing] = useState(false);
  const what = whatOf.order(approval);
  const isLast = approval.level === approval.levels;
  const { mutate, isPending, error, variables } = useOrderDecision({
    onDecided: (decision) => {
      setComment('');
      tell(decision === 'DECLINED' ? words.declined(what) : isLast ? words.approved(what) : words.approvedOn(what));
    },
    onOvertaken,
  });
  const decide = (decision: Choice) => {
    const said = comment.trim();
    if (decision === 'DECLINED' && said === '') {
      setMissing(true);
      field.current?.focus();
      return;
    }
    mutate({ orders: [approval], decision, comment: said });
  };
  return (
    <Section title={words.decision}>
      <div className="box">
        <div className={styles.form}>
          <Textarea
            ref={field}
            label={words.comment(approval.sender.name)}
            description={words.commentToDecline}
            error={isMissing && comment.trim() === '' && words.missingComment}
            maxLength={1_000}
            autosize
            minRows={3}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
          <Fault error={error} />
          <div className={styles.buttons}>
            <Button
              variant="subtle"
              color="red"
              loading={isPending && variables?.decision === 'DECLINED'}
              onClick={() => decide('DECLINED')}
            >
              {words.decline}
            </Button>
            <Button
              variant="filled"
              loading={isPending && variables?.decision === 'APPROVED'}
              onClick={() => decide('APPROVED')}
            >
              {isLast ? words.approve : words.approveOn}
            </Button>
          </div>
        </div>
      </div>
    </Section>
  );
}
