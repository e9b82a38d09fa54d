import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react';
import { base } from '../data/client.ts';

/** Where the person is: the address below the workspace, for example /gifts/7, and what comes behind the ?. */
export interface Place {
  path: string;
  search: URLSearchParams;
}

const moved = 'giftwire:moved';

/** The place that the address names. Its screen changes with it. */
export function usePlace(): Place {
  const address = useSyncExternalStore(follow, () => location.pathname + location.search);
  const [path = '', search = ''] = address.slice(base.length).split('?');
  return { path: path.replace(/\/$/, '') || '/', search: new URLSearchParams(search) };
}

function follow(notice: () => void): () => void {
  window.addEventListener('popstate', notice);
  window.addEventListener(moved, notice);
  return () => {
    window.removeEventListener('popstate', notice);
    window.removeEventListener(moved, notice);
  };
}

/** Goes to a place. `replace`: the browser's Back then returns to the place before. */
export function goTo(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState']({ isOurs: true }, '', base + to);
  window.dispatchEvent(new Event(moved));
  if (!replace) window.scrollTo(0, 0);
}

/** Back to where the person was in the app; a person who came by a link goes to `otherwise`. */
export function goBack(otherwise: string): void {
  if ((history.state as { isOurs?: boolean } | null)?.isOurs) history.back();
  else goTo(otherwise, { replace: true });
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string;
}

/** A link to a place: the page is not loaded again, unless the person wants another tab. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    goTo(to);
  };
  return <a href={base + to} onClick={open} {...rest} />;
}
