/** What a workspace wants its gifts, mails and pages to be like, and its policies. */
export interface Settings {
  /** The name of the workspace. */
  name: string;
  /** The language of gifts that name none, as EN_CA. */
  language: string;
  /** Where its days begin and end, as America/Toronto. */
  timeZone: string;
  /** The company as recipients read it; null: the name of the workspace. */
  brandName: string | null;
  /** #RRGGBB, of mails and gift pages; null: the colour of Giftwire. */
  colour: string | null;
  /** Where replies and questions go; null: nowhere. */
  replyTo: string | null;
  /** How a gift is used, in the company's own words; null: nothing is said. */
  sentence: string | null;
  /** Whether gifts are mailed. */
  mailsGifts: boolean;
  /** For how many days a gift can be claimed; null: for good. */
  giftDays: number | null;
  /** Remind people so many days after the mail; empty: never. */
  reminderDays: number[];
  /** Remind them once more so many days before a gift expires; null: not then. */
  reminderDaysBeforeExpiry: number | null;
  /** A gift of more than this asks for a code that is mailed to the recipient; null: none does. */
  codeAbove: number | null;
  /** Whether an order for an employee number that nobody has is refused. */
  refusesUnknownEmployeeNumbers: boolean;
  /** Whether people who have left still get gifts and shoutouts. */
  acceptsLeavers: boolean;
  /** Whether a shoutout waits for approval before it counts. */
  asksForApproval: boolean;
  /** Whether people may give themselves a shoutout. */
  allowsSelfRecognition: boolean;
  /** The address of the logo of mails and gift pages, on the service; null: there is none. */
  logo: string | null;
}

/** What to change. Settings that are left out stay as they are. */
export type SettingsChange = Partial<Omit<Settings, 'logo'>>;
