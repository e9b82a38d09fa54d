import { approvals } from './approvals.ts';
import { digests } from './digests.ts';
import { mail } from './mail.ts';
import { managers } from './managers.ts';
import { page } from './page.ts';
import { spend } from './spend.ts';

export const es = { ...approvals, ...digests, ...mail, ...managers, ...page, ...spend };
