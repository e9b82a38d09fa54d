/** What `giftwire doctor` has found. */
export interface Finding {
  check: string;
  ok: boolean;
  /** Neither good nor bad: shown without a check mark. */
  isNote?: true;
  detail: string;
  /** What to do about it. */
  advice?: string;
}
