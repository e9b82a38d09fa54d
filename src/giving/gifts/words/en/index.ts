import { approvals } from './approvals.ts';
import { mail } from './mail.ts';
import { managers } from './managers.ts';
import { page } from './page.ts';
import { spend } from './spend.ts';

export const en = { ...approvals, ...mail, ...managers, ...page, ...spend };
