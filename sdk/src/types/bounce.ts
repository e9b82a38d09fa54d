/** A mail that came back, as a mail provider reports it: with `messageId` or `returnPath`, which name the mail. */
export interface Bounce {
  /** The Message-ID of the mail that came back. */
  messageId?: string | null;
  /** The address that it came back to. */
  returnPath?: string | null;
  /** The enhanced status code: 5.x.x where the mail failed for good, 4.x.x where it is tried again. */
  status: string;
  /** What the mail server said. */
  reason?: string | null;
}

/** What a bounce has changed. */
export interface BounceResult {
  /** The gift that the mail was about. */
  giftId: number;
  /** FAILED: its delivery has failed. DEFERRED: another mail server goes on trying. KNOWN: nothing new. */
  effect: 'FAILED' | 'DEFERRED' | 'KNOWN';
}
