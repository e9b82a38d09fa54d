import { Button } from '@mantine/core';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './approvals.module.css';
import { useAskedNames } from './asked.ts';
import type { Overtaken } from './use-decision.ts';
import { useWhat } from './what.ts';

/** Another person was faster: who decided what and when, and what is left to do. */
export function OvertakenNotice({ found, onClose }: { found: Overtaken; onClose: () => void }) {
  const { approvals: words } = useWords();
  const { moment } = useFormats();
  const whatOf = useWhat();
  const namesOf = useAskedNames();
  const { what, by, decision, at, next } = read(found, whatOf);
  const { overtaken } = words;
  const said =
    by === null || decision === 'EXPIRED'
      ? overtaken.EXPIRED(at ? moment(at) : '')
      : overtaken[decision](by, at ? moment(at) : '');
  return (
    <div role="status" className={styles.overtaken}>
      <Icon name="clock" />
      <div>
        <p>
          <b>{what}</b>
        </p>
        <p>
          {said} {by === null ? overtaken.late : overtaken.faster}{' '}
          {next ? overtaken.next(namesOf(next)) : overtaken.nothing}
        </p>
      </div>
      <div className={styles.buttons}>
        {found.kind === 'ORDER' && (
          <Go to={`/approvals/${found.order.requestId}`} onClick={onClose}>
            {words.see}
          </Go>
        )}
        <Button size="compact-md" onClick={onClose}>
          {words.dismiss}
        </Button>
      </div>
    </div>
  );
}

function read(found: Overtaken, whatOf: ReturnType<typeof useWhat>) {
  if (found.kind === 'SHOUTOUT') {
    const { shoutout } = found;
    const decision = shoutout.status === 'APPROVED' ? ('APPROVED' as const) : ('DECLINED' as const);
    const by = shoutout.decidedBy ? nameOf(shoutout.decidedBy) : null;
    return { what: capital(whatOf.shoutout(shoutout)), by, decision, at: shoutout.decidedAt, next: null };
  }
  const { order } = found;
  const last = order.decisions.at(-1);
  return {
    what: capital(whatOf.order(order)),
    by: last?.by?.name ?? null,
    decision: last?.decision ?? ('EXPIRED' as const),
    at: last?.at ?? null,
    next: order.state === 'WAITING' && order.asked.length > 0 ? order.asked : null,
  };
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
