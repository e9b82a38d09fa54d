import type { PersonalMails } from '../send/personal.ts';
import { type DueManagerMail, readDueManagerMails, readOpenAsks, saveManagerMail } from './due.ts';
import { addressManagerMail } from './message.ts';

/** An email about what has gone out, was skipped, or is another manager's now, is not sent. */
export const managerMails: PersonalMails<DueManagerMail> = {
  readDue: readDueManagerMails,
  save: saveManagerMail,
  async write(on, letterhead, company, mail) {
    const { open } = await readOpenAsks(on, mail);
    return mail.address && open.length > 0
      ? addressManagerMail(letterhead, company, { ...mail, address: mail.address }, open)
      : null;
  },
};
