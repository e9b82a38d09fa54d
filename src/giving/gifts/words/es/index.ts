import { approvals } from './approvals.ts';
import { mail } from './mail.ts';
import { page } from './page.ts';
import { spend } from './spend.ts';

export const es = { ...approvals, ...mail, ...page, ...spend };
