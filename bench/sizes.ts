export interface Sizes {
  rounds: number;
  warmUps: number;
  /** How long each load lasts. */
  seconds: number;
  /** How often each page is asked for in a round. */
  pages: number;
  members: number;
  certificates: number;
  memorySeconds: number;
  /** Orders that wait to be fulfilled. */
  backlog: number;
  /** Events that a webhook has to get. */
  deliveries: number;
  /** Gifts that are sent, claimed and spent in each round. */
  flow: number;
  /** Mails that wait to be sent. */
  mails: number;
  /** Events in the long log. */
  events: number;
  /** Gifts in the ledger that is verified. */
  ledgerGifts: number;
  /** What one workspace does while another one sends one thing at a time. */
  fairness: { gifts: number; events: number; mails: number; people: number; seconds: number; asked: number };
  /** The company that the console shows. */
  console: { members: number; activities: number };
  /** The rows of CSV reports, the people of an import, and of files whose memory is measured beside those of `people`. */
  files: { rows: number; people: number; large: number };
}

export const full: Sizes = {
  rounds: 5,
  warmUps: 2,
  seconds: 3,
  pages: 40,
  members: 1_000_000,
  certificates: 5_000_000,
  memorySeconds: 60,
  backlog: 20_000,
  deliveries: 10_000,
  flow: 3_000,
  mails: 5_000,
  events: 10_000_000,
  ledgerGifts: 1_000_000,
  fairness: { gifts: 1_000_000, events: 200_000, mails: 20_000, people: 10_000, seconds: 10, asked: 20 },
  console: { members: 100_000, activities: 1_000_000 },
  files: { rows: 200_000, people: 100_000, large: 1_000_000 },
};

export const quick: Sizes = {
  rounds: 3,
  warmUps: 0,
  seconds: 1,
  pages: 15,
  members: 50_000,
  certificates: 100_000,
  memorySeconds: 5,
  backlog: 5_000,
  deliveries: 4_000,
  flow: 500,
  mails: 1_000,
  events: 200_000,
  ledgerGifts: 100_000,
  fairness: { gifts: 100_000, events: 20_000, mails: 4_000, people: 2_000, seconds: 8, asked: 5 },
  console: { members: 10_000, activities: 100_000 },
  files: { rows: 20_000, people: 10_000, large: 100_000 },
};
