import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react';
import styles from './page.module.css';

/** What the frame puts under the titles of screens: the tabs of those that belong together. */
export const BelowTitle = createContext<ReactNode>(null);

interface PageProps {
  title: string;
  /** Beside the title: a pill. */
  beside?: ReactNode;
  /** Under the title. */
  text?: ReactNode;
  /** Above the title: links to where this belongs. */
  above?: ReactNode;
  /** Buttons to the right of the title. */
  actions?: ReactNode;
  children?: ReactNode;
}

/**
 * What a screen shows: its title, which gets the focus when one arrives, then the tabs of screens that belong together, and what is below.
 * A screen below another one has the way back above its title instead of tabs.
 */
export function Page({ title, beside, text, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const belowTitle = useContext(BelowTitle);
  useEffect(() => {
    document.title = `${title} · Giftwire`;
  }, [title]);
  useEffect(() => {
    // A screen that puts the focus into a field of its own keeps it there.
    const { activeElement } = document;
    if (!activeElement || activeElement === document.body || !activeElement.closest('main, [role="dialog"]'))
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      {above && <div className={styles.above}>{above}</div>}
      <div className={styles.head}>
        <div>
          <div className={styles.title}>
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
            {beside}
          </div>
          {text && <p>{text}</p>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
      {!above && belowTitle}
      {children}
    </>
  );
}

interface SectionProps {
  title: string;
  /** To the right of the title: a hint, or links to the table and the CSV. */
  beside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, beside, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.line}>
        <h2>{title}</h2>
        {beside && <span className={`${styles.beside} quiet small`}>{beside}</span>}
      </div>
      {children}
    </section>
  );
}

/** Names and values under each other. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface BarProps {
  label: string;
  children: ReactNode;
  actions: ReactNode;
  /** It stays where the form ends instead of rising over its fields. */
  isStill?: boolean;
}

/** Rises at the bottom with what can be done with a selection, or with totals that stay in sight. It never covers the field that one is in. */
export function Bar({ label, children, actions, isStill = false }: BarProps) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const clear = () => bar.current && uncover(bar.current);
    clear();
    addEventListener('focusin', clear);
    return () => removeEventListener('focusin', clear);
  }, []);
  return (
    <section ref={bar} className={styles.bar} data-still={isStill || undefined} aria-label={label}>
      {children}
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}

/** Scrolls until the bar does not cover the field or button that has the focus. */
function uncover(bar: HTMLElement): void {
  const { activeElement } = document;
  // Not while one presses something with the mouse: it would move away under the pointer.
  if (
    !activeElement?.closest('main') ||
    !activeElement.matches(':focus-visible') ||
    bar.contains(activeElement) ||
    activeElement.contains(bar)
  )
    return;
  const hidden = activeElement.getBoundingClientRect().bottom + 12 - bar.getBoundingClientRect().top;
  if (hidden > 0) scrollBy({ top: hidden });
}

/** Words that a person wrote, on soft paper. */
export function Letter({ children, by }: { children: ReactNode; by?: ReactNode }) {
  return (
    <figure className={styles.paper}>
      <blockquote className="letter">{children}</blockquote>
      {by && <figcaption className="small second">{by}</figcaption>}
    </figure>
  );
}
