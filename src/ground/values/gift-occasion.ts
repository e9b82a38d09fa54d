/** What a gift is for, if it is for a day of its recipient and not for something that they did. DAY is any other day. */
export const giftOccasions = ['BIRTHDAY', 'ANNIVERSARY', 'WELCOME', 'DAY'] as const;
export type GiftOccasion = (typeof giftOccasions)[number];

/** The occasion of gifts that an automation sends; null: they say thank you. */
export function giftOccasionOf({ is, days }: { is: string; days?: number | undefined }): GiftOccasion | null {
  if (is === 'BIRTHDAY' || is === 'ANNIVERSARY') return is;
  if (is === 'AFTER_HIRE' && days === 0) return 'WELCOME';
  return is === 'UNRECOGNIZED' ? null : 'DAY';
}
