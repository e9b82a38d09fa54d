import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

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

/** What a screen shows: its title, which gets the focus when one arrives, and what is below. */
export function Page({ title, beside, text, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
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

/** Rises at the bottom with what can be done with a selection, or with totals that stay in sight. */
export function Bar({ label, children, actions }: { label: string; children: ReactNode; actions: ReactNode }) {
  return (
    <section className={styles.bar} aria-label={label}>
      {children}
      <div className={styles.actions}>{actions}</div>
    </section>
  );
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
