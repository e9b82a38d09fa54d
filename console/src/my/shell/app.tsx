import { type ComponentType, useEffect } from 'react';
import { useCan, useIsKiosk } from '../data/me.tsx';
import { NotHere } from '../parts/not-here.tsx';
import { openTo, type ScreenProps, screens } from '../screens.ts';
import { useWords } from '../words/words.tsx';
import { useKioskEnd } from './kiosk-end.ts';
import { goTo, usePlace } from './place.tsx';
import { Screen } from './screen.tsx';

/** The screen that the address names, as far as the person may use it. */
export function App() {
  const { path } = usePlace();
  const can = useCan();
  useKioskEnd(useIsKiosk());
  // An emailed link and the shared screen lead here once the person is signed in.
  const isWayIn = path === '/sign-in' || path === '/kiosk';
  useEffect(() => {
    if (isWayIn) goTo('/', { replace: true });
  }, [isWayIn]);
  if (isWayIn) return null;
  const found = find(path, screens.filter(openTo(can)));
  return found ? <found.Component key={path} {...found.props} /> : <NotFound />;
}

function find(
  path: string,
  open: typeof screens,
): { Component: ComponentType<ScreenProps>; props: ScreenProps } | undefined {
  for (const { pattern, Component } of open) {
    const [, id] = pattern.exec(path) ?? [null];
    if (pattern.test(path)) return { Component, props: { id: Number(id) } };
  }
  return undefined;
}

function NotFound() {
  const { frame } = useWords();
  return (
    <Screen title={frame.notFoundTitle}>
      <NotHere title={frame.notFoundTitle} />
    </Screen>
  );
}
