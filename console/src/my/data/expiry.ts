import type { Formats } from '../../words/formats.ts';
import type { MyWords } from '../words/words.tsx';

const dayMs = 86_400_000;
const soonDays = 30;

/** "Expires in 14 days" when it is soon, else the day; and whether it is soon. */
export function expiryText(expiresAt: string | null, words: MyWords['gifts'], formats: Formats) {
  if (expiresAt === null) return { text: words.noExpiry, isSoon: false };
  const days = Math.max(0, startOfDay(new Date(expiresAt)) - startOfDay(new Date()));
  if (days <= soonDays) return { text: words.expiresIn(days), isSoon: true };
  return { text: words.expires(formats.date(expiresAt)), isSoon: false };
}

/** Days since 1970 by the person's own calendar. */
function startOfDay(date: Date): number {
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / dayMs);
}
