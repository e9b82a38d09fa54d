import type { PersonalMails } from '../send/personal.ts';
import { type DueApprovalMail, readDueApprovalMails, saveApprovalMail } from './due.ts';
import { readMatter } from './matter.ts';
import { addressApprovalMail } from './message.ts';

/** An email about orders that were decided meanwhile, or to a person who is no longer asked, is not sent. */
export const approvalMails: PersonalMails<DueApprovalMail> = {
  readDue: readDueApprovalMails,
  save: saveApprovalMail,
  async write(on, letterhead, company, mail) {
    const { open, decided } = await readMatter(on, mail);
    const matter = mail.kind === 'ASKED' ? open : decided;
    return matter && mail.isAddressCurrent ? addressApprovalMail(letterhead, company, mail, matter) : null;
  },
};
