import type { ComponentType } from 'react';
import { Feed } from './screens/feed/feed.tsx';
import { PostPage } from './screens/feed/post-page.tsx';
import { Gift } from './screens/gifts/gift.tsx';
import { Gifts } from './screens/gifts/gifts.tsx';
import { PastGifts } from './screens/gifts/past.tsx';
import { Give } from './screens/give/give.tsx';
import { Shoutouts } from './screens/shoutouts/shoutouts.tsx';
import { Spend } from './screens/spend/spend.tsx';
import { SpendingPage } from './screens/spend/spending.tsx';
import { You } from './screens/you/you.tsx';

export interface ScreenProps {
  /** The number in the address; NaN where it has none. */
  id: number;
}

interface ScreenEntry {
  /** The address below the workspace. */
  pattern: RegExp;
  scope: string;
  Component: ComponentType<ScreenProps>;
}

/** All screens. One that the person may not use is in no menu, and its address is not found. */
export const screens: readonly ScreenEntry[] = [
  { pattern: /^\/$/, scope: 'me:read', Component: Gifts },
  { pattern: /^\/gifts\/past$/, scope: 'me:read', Component: PastGifts },
  { pattern: /^\/gifts\/(\d{1,15})$/, scope: 'me:read', Component: Gift },
  { pattern: /^\/spend$/, scope: 'me:write', Component: Spend },
  { pattern: /^\/spending\/(\d{1,15})$/, scope: 'me:read', Component: SpendingPage },
  { pattern: /^\/feed$/, scope: 'feed:read', Component: Feed },
  { pattern: /^\/feed\/(\d{1,15})$/, scope: 'feed:read', Component: PostPage },
  { pattern: /^\/give$/, scope: 'feed:write', Component: Give },
  { pattern: /^\/shoutouts$/, scope: 'feed:read', Component: Shoutouts },
  { pattern: /^\/you$/, scope: 'feed:read', Component: You },
];

export function openTo(can: (scope: string) => boolean): (screen: ScreenEntry) => boolean {
  return ({ scope }) => can(scope);
}
