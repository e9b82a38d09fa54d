import { mail } from './mail.ts';
import { page } from './page.ts';
import { spend } from './spend.ts';

export const fr = { ...mail, ...page, ...spend };
