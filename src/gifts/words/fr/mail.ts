import type { mail as english } from '../en/mail.ts';

export const mail: Record<keyof typeof english, string> = {
  giftSubject: '{sender} vous a envoyé un cadeau',
};
