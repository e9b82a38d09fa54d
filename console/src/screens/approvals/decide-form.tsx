import type { OrderApproval } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { Fault } from '../../parts/fault.tsx';
import { Section } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { useComment } from './use-comment.tsx';
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
  const { field, check, clear } = useComment(approval.sender.name, words.commentToDecline);
  const isLast = approval.level === approval.levels;
  const { mutate, isPending, error, variables } = useOrderDecision(whatOf.order(approval), {
    onDecided: clear,
    onOvertaken,
  });
  const decide = (decision: Choice) => check(decision, (comment) => mutate({ order: approval, decision, comment }));
  return (
    <Section title={words.decision}>
      <div className="box">
        <div className={styles.form}>
          {field}
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
