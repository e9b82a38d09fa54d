import type { ButtonHTMLAttributes } from 'react';

interface ActionProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'danger' | 'paper';
  /** While the service works on it, another press does nothing. The focus stays, and the label too. */
  isPending?: boolean;
}

/** The large button of a view. */
export function Action({ look, isPending = false, type = 'button', className, onClick, ...rest }: ActionProps) {
  const classes = ['button', look, className].filter(Boolean).join(' ');
  return (
    <button
      type={type}
      className={classes}
      aria-disabled={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.(event))}
      {...rest}
    />
  );
}
