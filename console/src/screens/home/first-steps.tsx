import type { FirstSteps as Done } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere } from '../../data/me.tsx';
import { Icon } from '../../parts/icon.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Section } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './first-steps.module.css';

// Only a company without a gift needs it.
const BrandPreview = lazy(async () => ({ default: (await import('../branding/brand-preview.tsx')).BrandPreview }));

interface Step {
  key: keyof Done | 'gift';
  to: string;
  /** Needed to do it. */
  scope: string;
}

const all: readonly Step[] = [
  { key: 'brand', to: '/settings', scope: 'settings:manage' },
  { key: 'people', to: '/people/import', scope: 'directory:write' },
  { key: 'email', to: '/integrations/mail', scope: 'settings:manage' },
  { key: 'spendingOptions', to: '/money/spending-options', scope: 'settings:manage' },
  { key: 'budget', to: '/money', scope: 'budgets:manage' },
  { key: 'gift', to: '/send', scope: 'orders:write' },
];

/** The steps before the first gift that a user with these scopes can do. */
export function stepsFor(scopes: readonly string[]): readonly Step[] {
  return all.filter(({ scope }) => scopes.includes(scope));
}

/** What to do before the first gift, ticked off by what is there, and beside it the email that recipients get. */
export function FirstSteps({ done, onHide }: { done: Done; onHide: () => void }) {
  const { home } = useWords();
  const { me, workspace } = useHere();
  const isTestOnly = me.environment === 'test' && !done.email;
  const steps = stepsFor(workspace.scopes).map((step) => ({ ...step, isDone: step.key !== 'gift' && done[step.key] }));
  // In the test environment the other steps need no mail server.
  const next = steps.find(({ key, isDone }) => !isDone && !(key === 'email' && isTestOnly))?.key;
  return (
    <div className={styles.setup}>
      <Section
        title={home.firstSteps(steps.length)}
        beside={
          <Button variant="subtle" size="compact-sm" onClick={onHide}>
            {home.hideSteps}
          </Button>
        }
      >
        <ol className={styles.steps} aria-label={home.firstSteps(steps.length)}>
          {steps.map(({ key, to, isDone }, nth) => {
            const [title, text, act] = home.steps[key];
            return (
              <li key={key} data-done={isDone || undefined} aria-current={key === next ? 'step' : undefined}>
                <span className={styles.knot} aria-hidden="true">
                  {isDone ? <Icon name="ok" /> : key === 'gift' ? <Icon name="bow" /> : nth + 1}
                </span>
                <div className={styles.body}>
                  <b>{title}</b> {isDone && <span className={styles.done}>{home.stepDone}</span>}
                  {key === 'email' && isTestOnly && <span className={styles.test}>{home.stepTest}</span>}
                  <div className="quiet">{key === 'email' && isTestOnly ? home.stepTestText : text}</div>
                </div>
                <GoButton
                  to={to}
                  size="compact-md"
                  variant={key === next ? 'filled' : 'default'}
                  className={styles.act}
                >
                  {isDone ? home.stepChange : act}
                </GoButton>
              </li>
            );
          })}
        </ol>
      </Section>
      <WhatRecipientsGet />
    </div>
  );
}

function WhatRecipientsGet() {
  const { home } = useWords();
  const can = useCan();
  const canRead = can('settings:read') && can('orders:write');
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => giftwire.settings.retrieve({ signal }),
    enabled: canRead,
  });
  return canRead && data ? (
    <Suspense fallback={null}>
      <BrandPreview settings={data} title={home.whatRecipientsGet} />
    </Suspense>
  ) : null;
}
