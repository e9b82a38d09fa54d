/** A look to try in place of the workspace's own. Fields that are left out are the workspace's. */
export interface GiftBrand {
  /** The company's name. */
  name?: string | null;
  /** #RRGGBB. One on which no text can be read is refused. */
  colour?: string | null;
  /** Where questions go. */
  replyTo?: string | null;
  /** How a gift is used, in the company's own words. */
  sentence?: string | null;
}

/** A gift that nobody has ordered yet. */
export interface GiftDraft {
  /** The text sent with the gift: 1 to 1,000 characters. */
  message: string;
  /** From 1 to 10,000, with at most the currency's minor digits (CAD 2, JPY 0). */
  amount: number;
  /** A current ISO 4217 code, as CAD. */
  currency: string;
  /** Language and region, as EN_CA; the workspace's language when absent. */
  language?: string | null;
  /** When the gift would be mailed, as 2026-12-24T09:00:00-05:00; at once when absent. */
  deliverAt?: string | null;
  /** One of the workspace's reasons; the default reason when absent. */
  reasonId?: number | null;
  /** The recipient's first name. */
  firstName?: string | null;
  /** The recipient's last name. */
  lastName?: string | null;
  /** A look to try in place of the workspace's own. */
  brand?: GiftBrand;
}

/** What the recipient of a gift would see. */
export interface GiftPreview {
  /** The sender's name in the mail. */
  from: string;
  /** The mail's subject. */
  subject: string;
  /** The mail as plain text. */
  text: string;
  /** The mail as an HTML document. It fetches nothing. Its links and its code open no gift. */
  mail: string;
  /** The page that the recipient opens, as an HTML document. Its style sheets are below /g. */
  page: string;
  /** When the gift would expire if it were ordered now, as 2027-03-31T04:00:00.000Z; null: never. */
  claimBy: string | null;
}

/** What has become of a test mail. */
export interface GiftTest {
  /** SENT: the mail server has taken it. KEPT: this installation has no mail server and sends nothing. */
  delivery: 'SENT' | 'KEPT' | 'FAILED';
  /** The caller's own address. */
  to: string;
  /** The mail's subject. */
  subject: string;
  /** What the mail server answered, or why it could not be asked; null where none was asked. */
  answer: string | null;
}
