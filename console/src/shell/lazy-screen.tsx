import { GiftwireError } from '@giftwire/sdk';
import { type ComponentType, type FunctionComponent, use } from 'react';

type Load = () => Promise<{ default: ComponentType }>;

/**
 * A screen whose file is loaded when it is first shown. If that fails, the screen itself says so: a page that loads itself again while the
 * service is down ends as the browser's own error page.
 */
export function lazyScreen(load: Load): FunctionComponent & { preload: () => Promise<void> } {
  let loading: ReturnType<Load> | null = null;
  const ask = () => {
    loading ??= load().catch((cause) => {
      failed.add(() => {
        loading = null;
      });
      return afterFailure(cause);
    });
    return loading;
  };
  function LazyScreen() {
    const { default: Screen } = use(ask());
    return <Screen />;
  }
  return Object.assign(LazyScreen, { preload: () => ask().then(noResult, noResult) });
}

const failed = new Set<() => void>();

/** Screens that could not be loaded are loaded again when they are shown next. */
export function loadFailedAgain(): void {
  for (const forget of failed) forget();
  failed.clear();
}

const noResult = () => {};
const reloaded = 'giftwire.reloaded';
const apartMs = 10_000;

/** After an update of the service, an open page asks for files that are gone: then the page is loaded again, if the service responds. */
async function afterFailure(cause: unknown): Promise<never> {
  const isThere = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  const lastMs = Number(sessionStorage.getItem(reloaded) ?? 0);
  if (!isThere || Date.now() - lastMs < apartMs) throw new GiftwireError('no_answer', String(cause));
  sessionStorage.setItem(reloaded, String(Date.now()));
  location.reload();
  return new Promise(noResult);
}
