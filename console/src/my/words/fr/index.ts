import type { en } from '../en/index.ts';
import { feed } from './feed.ts';
import { frame } from './frame.ts';
import { gifts } from './gifts.ts';
import { give } from './give.ts';
import { parts } from './parts.ts';
import { shoutouts } from './shoutouts.ts';
import { signIn } from './sign-in.ts';
import { spend } from './spend.ts';
import { tv } from './tv.ts';
import { you } from './you.ts';

export const fr: typeof en = { feed, frame, gifts, give, parts, shoutouts, signIn, spend, tv, you };
