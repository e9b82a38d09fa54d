/** How mails leave the installation. */
export interface MailSetup {
  /** SMTP: mails go to a mail server. OUTBOX: they are kept for people who try things out. OFF: there are none. */
  delivery: 'SMTP' | 'OUTBOX' | 'OFF';
  /** Host and port of the mail server. */
  server: string | null;
  /** The address that mails come from. */
  from: string;
  /** Until when nothing is sent, because the mail server failed; null: mails are sent. */
  pausedUntil: string | null;
}

/** A mail that says only that mail works. */
export interface MailTest {
  /** Where the test goes. */
  to: string;
}

/** What has become of a test mail. */
export interface MailTestResult {
  /** SENT: the mail server has taken it. KEPT: the installation has no mail server and sends nothing. */
  delivery: 'SENT' | 'KEPT' | 'FAILED';
  /** Where it went. */
  to: string;
  /** What the mail server answered, or why it could not be asked. */
  answer: string | null;
}

/** A mail that was sent. */
export interface OutboxMail {
  /** Identifies the mail. */
  id: string;
  /** The gift that it is about. */
  giftId: number;
  /** What it is for. */
  kind: 'GIFT' | 'REMINDER' | 'CODE' | 'THANKS' | 'WISH';
  /** When it was sent. */
  sentAt: string;
  /** Who got it. */
  to: string | null;
  /** Name and address that it came from. */
  from: string;
  /** Its subject. */
  subject: string;
}

/** A mail that was sent, and what it says. */
export interface OutboxMailWithText extends OutboxMail {
  /** As plain text. */
  text: string;
  /** As an HTML document with its pictures inside. */
  html: string;
}

/** A page of sent mails. */
export interface OutboxPage {
  /** The latest first. */
  mails: OutboxMail[];
}

/** Which sent mails. */
export interface OutboxQuery {
  /** How many, up to 100. */
  size?: number;
  /** The id of the last mail of the page before: only mails behind it. Or a date and a time: only mails that were sent before. */
  before?: string;
}
