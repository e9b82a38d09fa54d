/** What is said about a decision. */
export interface WishDecision {
  /** What the recipient reads on the page of the gift. */
  note?: string;
}

/** Something that a recipient asked for and that somebody decides. */
export interface Wish {
  /** The id of the redemption. */
  id: number;
  /** The id of the gift. */
  giftId: number;
  /** DECLINED: the gift has the amount back. */
  state: 'REQUESTED' | 'DONE' | 'REVERSED' | 'DECLINED';
  /** The id of the way. */
  way: string;
  /** How much. */
  amount: number;
  /** ISO 4217 code. */
  currency: string;
  /** What is left of the gift now. */
  left: number;
  /** What the recipient would like, in their own words. */
  wish: string | null;
  /** What the recipient reads. */
  note: string | null;
  /** When it was decided. */
  finishedAt: string | null;
}
