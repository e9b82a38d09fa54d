import { GiftwireError, type OrderApproval, type OrderDecisions, type Shoutout } from '@giftwire/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { nameOf } from '../../parts/name.ts';
import { tell } from '../../parts/tell.tsx';
import { useWords } from '../../words/words.tsx';

/** What another person decided first, or what the time has decided. */
export type Overtaken = { kind: 'ORDER'; order: OrderApproval } | { kind: 'SHOUTOUT'; shoutout: Shoutout };

export type Choice = OrderDecisions['decision'];

interface DecisionOptions {
  /** The decision was stored, and the user was told. */
  onDecided: () => void;
  /** The decision was not stored, because there is nothing left to decide for this person. */
  onOvertaken: (found: Overtaken) => void;
}

interface OrderDecision {
  /** As the user saw it. Of a batch the first: it stands for all. */
  order: OrderApproval;
  decision: Choice;
  comment?: string;
}

/** Decides an order or a batch, which the user knows as `what`. If another approver was faster, it reads what they decided. */
export function useOrderDecision(what: string, { onDecided, onOvertaken }: DecisionOptions) {
  const { approvals: words } = useWords();
  const stale = useStale();
  return useMutation({
    mutationFn: async ({ order: { requestId, level, decisions }, decision, comment }: OrderDecision) => {
      try {
        const decided = await giftwire.approvals.decide({
          requestIds: [requestId],
          decision,
          ...(comment && { comment }),
          level,
        });
        onDecided();
        const isOn = decided.some(({ state }) => state === 'WAITING');
        tell(decision === 'DECLINED' ? words.declined(what) : isOn ? words.approvedOn(what) : words.approved(what));
      } catch (error) {
        const order = isOvertaken(error) && (await giftwire.approvals.retrieve(requestId));
        if (!order || (order.state === 'WAITING' && order.decisions.length === decisions.length)) throw error;
        onOvertaken({ kind: 'ORDER', order });
      }
      stale();
    },
  });
}

interface ShoutoutDecision {
  shoutout: Shoutout;
  decision: Choice;
  reason?: string;
}

export function useShoutoutDecision({ onOvertaken }: Pick<DecisionOptions, 'onOvertaken'>) {
  const { recognition } = useWords();
  const stale = useStale();
  return useMutation({
    mutationFn: async ({ shoutout: { id, sender, receiver }, decision, reason }: ShoutoutDecision) => {
      const body = reason ? { reason } : {};
      try {
        await (decision === 'APPROVED' ? giftwire.shoutouts.approve(id, body) : giftwire.shoutouts.decline(id, body));
        const { approved, declinedOf } = recognition;
        tell((decision === 'APPROVED' ? approved : declinedOf)(nameOf(sender), nameOf(receiver)));
      } catch (error) {
        if (!isOvertaken(error)) throw error;
        const shoutout = await giftwire.shoutouts.retrieve(id);
        if (shoutout.status === 'PENDING') throw error;
        onOvertaken({ kind: 'SHOUTOUT', shoutout });
      }
      stale();
    },
  });
}

function isOvertaken(error: unknown): boolean {
  return error instanceof GiftwireError && (error.status === 409 || error.status === 403);
}

/** What a decision changes is read again. */
function useStale(): () => void {
  const queries = useQueryClient();
  return () => {
    for (const name of ['approvals', 'orders', 'shoutouts', 'activities', 'gifts', 'reports', 'budgets'])
      void queries.invalidateQueries({ queryKey: [name] });
  };
}
