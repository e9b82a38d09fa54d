import type { Random } from '../support/random.ts';

export interface Gift {
  message: string;
  amount: number;
  recipient: { email?: string; employeeNumber?: string; firstName?: string };
}

export interface Order {
  currency: string;
  language: string;
  orderItems: Gift[];
}

export interface OrderKind {
  /** How many people there are to choose recipients from. Fewer people mean more contention. */
  people: number;
  maxGifts: number;
}

const thanks = [
  'Thank you!',
  'Merci beaucoup',
  'ありがとう',
  'Well done 🎉',
  'O\'Brien \\ "quoted"',
  'Zażółć gęślą jaźń',
];

export function randomOrder(random: Random, { people, maxGifts }: OrderKind): Order {
  const gifts = random.int(1, maxGifts);
  return {
    currency: random.pick(['CAD', 'USD', 'EUR']),
    language: random.pick(['EN_CA', 'FR_CA']),
    orderItems: Array.from({ length: gifts }, (_, index) => ({
      message: `${random.pick(thanks)} ${index} ${random.int(0, 1_000_000)}`,
      amount: random.int(100, 1_000_000) / 100,
      recipient: randomRecipient(random, people),
    })),
  };
}

function randomRecipient(random: Random, people: number): Gift['recipient'] {
  const nth = random.int(1, people);
  // Every third person is known by number alone; the others by an address that is not always spelt alike.
  if (nth % 3 === 0) return { employeeNumber: `E${nth}` };
  const email = `person.${nth}@example.com`;
  return { email: random.chance(0.2) ? email.toUpperCase() : email, firstName: `Person ${nth}` };
}

/** The person's identity, whatever the spelling. */
export function identityOf({ email, employeeNumber }: Gift['recipient']): string {
  return email ? `e-mail ${email.toLowerCase()}` : `number ${employeeNumber}`;
}
