import type { ErasureObstacle, ErasurePreview } from '@giftwire/sdk';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './erasure.module.css';

const icons = {
  IDENTITY: 'person',
  WRITTEN: 'pen',
  RECEIVED: 'heart',
  EMAILS: 'mail',
  AUDIT: 'book',
  ACCOUNTS: 'key',
  PAYROLL_LINES: 'coin',
  TAX_LOG: 'book',
  LEDGER_NOTES: 'shield',
  COUNTS: 'chart',
  MARK: 'lock',
} as const satisfies Record<string, IconName>;

/** What goes, and what stays and why. */
export function Outcome({ preview: { removed, kept } }: { preview: ErasurePreview }) {
  const { erasure: words } = useWords();
  const formats = useFormats();
  return (
    <div className={styles.two}>
      <section className="box" aria-label={words.goes}>
        <h2>
          {words.goes} <span className="quiet small">{words.goesText}</span>
        </h2>
        <ul className={styles.list}>
          {removed.map(({ group, count }) => (
            <Row
              key={group}
              icon={icons[group]}
              title={words.removed[group]}
              text={words.removedText[group]}
              count={formats.number(count)}
            />
          ))}
        </ul>
      </section>
      <section className="box" aria-label={words.stays}>
        <h2>
          {words.stays} <span className="quiet small">{words.staysText}</span>
        </h2>
        <ul className={styles.list}>
          {kept.map(({ kind, count, until }) => (
            <Row
              key={kind}
              icon={icons[kind]}
              title={words.kept[kind]}
              text={until ? words.keptUntil(words.keptText[kind], formats.day(until)) : words.keptText[kind]}
              count={count === null ? '–' : formats.number(count)}
            />
          ))}
        </ul>
        <p className={`quiet small ${styles.backups}`}>{words.backups}</p>
      </section>
    </div>
  );
}

function Row({ icon, title, text, count }: { icon: IconName; title: string; text: string; count: string }) {
  return (
    <li>
      <Icon name={icon} />
      <span>
        {title}
        {text && <span className="quiet small">{text}</span>}
      </span>
      <b className="figure">{count}</b>
    </li>
  );
}

const places: Record<ErasureObstacle['kind'], (id: number) => { to: string; search?: object }> = {
  OPEN_GIFTS: (id) => ({ to: `/people/${id}` }),
  OPEN_REQUESTS: () => ({ to: '/money/spent', search: { state: 'REQUESTED' } }),
  UNPAID: () => ({ to: '/money/payroll' }),
  PENDING_ORDERS: () => ({ to: '/approvals', search: { view: 'all' } }),
  LAST_OWNER: () => ({ to: '/settings/people' }),
  LEGAL_HOLD: (id) => ({ to: `/people/${id}` }),
};

/** What has to end first, and where. Shows nothing without any. */
export function Obstacles({ id, obstacles }: { id: number; obstacles: readonly ErasureObstacle[] }) {
  const { erasure: words } = useWords();
  const { money } = useFormats();
  if (obstacles.length === 0) return null;
  return (
    <section className={styles.first} aria-label={words.first}>
      <Icon name="warn" />
      <div>
        <h2>{words.first}</h2>
        <ul>
          {obstacles.map(({ kind, count, amount, currency }) => {
            const { to, search } = places[kind](id);
            return (
              <li key={`${kind} ${currency}`}>
                {words.obstacles[kind](count, amount === null || currency === null ? '' : money(amount, currency))}{' '}
                <Go to={to} search={search as never}>
                  {words.obstacleActs[kind]}
                </Go>
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}
