import type { page as english } from '../en/page.ts';

export const page: Record<keyof typeof english, string> = {
  openGift: 'Abrir su regalo',
};
