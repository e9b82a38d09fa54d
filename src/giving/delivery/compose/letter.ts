import type { GiftSettings } from '../../../company/workspaces/gift-settings.ts';
import type { Gift } from '../../gifts/gift.ts';
import { type Words, wordsFor } from '../../gifts/words/words.ts';
import type { DecidedRequest } from './decision.ts';
import { oneLine } from './plain.ts';

export type MailKind = 'GIFT' | 'REMINDER' | 'THANKS' | 'CODE' | 'DECISION';

/** What an email about a gift is made of. */
export interface MailToCompose {
  kind: MailKind;
  gift: Gift;
  settings: GiftSettings;
  /** As people type it: 7K4Q-M2XD-9RTW-3HBN. */
  shortToken: string;
  links: {
    /** Opens the gift: `<public url>/g#<long token>`. */
    page: string;
    /** Where the short token is typed: `<public url>/g`. */
    codePage: string;
    /** Stops the reminders; null where there is nothing to stop. */
    quiet: string | null;
  };
  /** Whether it goes to its writer, who wants to see what it looks like. */
  isTest?: boolean;
  /** Of CODE: the six digits. */
  code?: string;
  /** Of DECISION: what was decided. */
  decision?: DecidedRequest | null;
  /** The company's logo; absent: its name stands there. */
  logo?: { type: string; bytes: Buffer };
}

/** A part of a sentence: our words, or something that stands out from them. */
export type Piece = string | Name | Strong | Link;
/** A name may be written in another direction than the words around it. */
type Name = { name: string };
type Strong = { strong: string };
/** `label` is shown where the link can be clicked, `plain` in plain text. */
type Link = { href: string; label: string; plain: string };
export type Sentence = readonly Piece[];

/** A list in an email. `text` is what a person wrote. */
export interface Section {
  title?: string;
  entries: { lead: Sentence; text?: string }[];
}

/** What an email says, before it becomes text and HTML. */
export interface Letter {
  words: Words;
  company: string;
  fromName: string;
  subject: string;
  /** What mail programs show beside the subject. */
  preview: string;
  title: string;
  lead: Sentence;
  /** Six digits in large type. */
  code?: string;
  /** Without the bow: no gift is in it. */
  isPlain?: boolean;
  /** What a person wrote. `by` is empty where the person's name is not known. */
  quote?: { text: string; by: string };
  sections?: Section[];
  button?: { label: string; href: string };
  facts: { label: string; value: string; isPersonal?: boolean }[];
  /** The company's or our own sentences below. */
  notes: Sentence[];
  /** Where to type the short token. */
  otherWay?: { sentence: Sentence; shortToken: string };
  footer: { title?: string; sentences: Sentence[] }[];
}

/** The names and figures that the letters share. */
export interface Facts extends MailToCompose {
  words: Words;
  company: string;
  sender: string;
  recipient: string;
  firstName: string;
  amount: string;
}

export function writeLetter(mail: MailToCompose): Letter {
  return letters[mail.kind](factsOf(mail));
}

function factsOf(mail: MailToCompose): Facts {
  const { kind, gift, settings } = mail;
  // The order's language is the recipient's. Thanks go to the sender, whose language we do not know.
  const languages = [gift.language, settings.language];
  const words = wordsFor(...(kind === 'THANKS' ? languages.reverse() : languages));
  const company = oneLine(settings.name, 80);
  return {
    ...mail,
    words,
    company,
    sender: oneLine(gift.senderName, 80) || company,
    recipient: oneLine(`${gift.firstName} ${gift.lastName}`, 80),
    firstName: oneLine(gift.firstName, 60),
    amount: words.money(gift.amount, gift.currency),
  };
}

const letters: Record<MailKind, (facts: Facts) => Letter> = {
  GIFT: (facts) => aboutGift(facts, 'gift'),
  REMINDER: (facts) => aboutGift(facts, 'reminder'),
  THANKS: thanks,
  CODE: code,
  DECISION: decision,
};

function aboutGift(facts: Facts, kind: 'gift' | 'reminder'): Letter {
  const { words, gift, settings, sender, amount, links, shortToken, firstName, isTest } = facts;
  const named = firstName ? 'yes' : 'no';
  const subject = words.say(`${kind}Subject`, { sender });
  return {
    ...common(facts, sender),
    subject: isTest ? words.say('testSubject', { subject }) : subject,
    preview: `${quoted(words, gift.message)} ${words.say('giftPreview', { amount })}`,
    title: words.say(`${kind}Title`, { named, name: firstName, occasion: gift.occasion ?? 'none' }),
    lead: words.pieces<Name | Strong>(`${kind}Lead`, { sender: { name: sender }, amount: { strong: amount } }),
    quote: { text: gift.message, by: sender },
    button: { label: words.say('giftButton'), href: links.page },
    facts: giftFacts(facts),
    notes: [
      ...(isTest ? [[{ strong: words.say('testNote') }]] : []),
      ...(settings.sentence ? [[{ name: oneLine(settings.sentence, 300) }]] : []),
    ],
    otherWay: {
      sentence: words.pieces('giftOtherWay', { page: webLink(links.codePage) }),
      shortToken,
    },
    footer: [
      { title: words.say('checkTitle'), sentences: check(facts) },
      ...reminders(facts),
      { sentences: closing(facts.words, facts.company) },
    ],
  };
}

function giftFacts({ words, gift, settings }: Facts): Letter['facts'] {
  const claimBy = gift.expiresAt && words.lastDay(gift.expiresAt, settings.timeZone);
  return [
    { label: words.say('giftReason'), value: oneLine(gift.reason) },
    ...(claimBy ? [{ label: words.say('giftClaimBy'), value: claimBy }] : []),
  ];
}

/** Neither link nor code: these are the recipient's, and this email goes to the sender. */
function thanks(facts: Facts): Letter {
  const { words, gift, recipient, amount } = facts;
  const text = gift.thanks ?? '';
  const who = { named: recipient ? 'yes' : 'no', recipient };
  return {
    ...common(facts, recipient || facts.company),
    subject: words.say('thanksSubject', who),
    preview: quoted(words, text),
    title: words.say('thanksTitle', who),
    lead: words.pieces('thanksLead', { amount: { strong: amount } }),
    quote: { text, by: recipient },
    facts: [{ label: words.say('thanksFor'), value: quoted(words, gift.message, 300), isPersonal: true }],
    footer: [
      { title: words.say('checkTitle'), sentences: [[words.say('thanksCheck')]] },
      { sentences: closing(facts.words, facts.company) },
    ],
  };
}

/** No link: who reads this has the gift page open, and an email with a code should not ask for a click. */
function code(facts: Facts): Letter {
  const { words, sender, amount, company, code: digits = '' } = facts;
  return {
    ...common(facts, company),
    subject: words.say('codeSubject', { sender }),
    preview: words.say('codePreview', { code: digits }),
    title: words.say('codeTitle'),
    lead: words.pieces<Name | Strong>('codeLead', { sender: { name: sender }, amount: { strong: amount } }),
    code: digits,
    notes: [[words.say('codeEnds', { minutes: 15 })], [words.say('codeNotAsked')]],
    footer: [{ sentences: [...questions(facts), ...closing(facts.words, facts.company)] }],
  };
}

/** What became of what the recipient asked for. A request that was declined has its amount back. */
function decision(facts: Facts): Letter {
  const { words, gift, company, links, decision: decided } = facts;
  if (!decided) throw new Error(`gift ${gift.id} has no such request`);
  const done = decided.isDone ? 'yes' : 'no';
  const option = oneLine(decided.option, 80);
  const amount = words.money(decided.amount, gift.currency);
  return {
    ...common(facts, company),
    subject: words.say('decisionSubject', { done, option }),
    preview: words.say('decisionPreview', { option, amount }),
    title: words.say('decisionTitle', { done }),
    lead: words.pieces<Name | Strong>('decisionLead', { done, option: { name: option }, amount: { strong: amount } }),
    ...(decided.note && { quote: { text: decided.note, by: company } }),
    button: { label: words.say(decided.isDone ? 'giftButton' : 'decisionAgain'), href: links.page },
    footer: [
      { title: words.say('checkTitle'), sentences: check(facts) },
      { sentences: closing(facts.words, facts.company) },
    ],
  };
}

function common({ words, company }: Facts, person: string) {
  return {
    words,
    company,
    fromName: person === company ? company : words.say('from', { person, company }),
    facts: [],
    notes: [],
  };
}

function check({ words, sender, links, settings }: Facts): Sentence[] {
  const { replyTo } = settings;
  const host = new URL(links.page).host;
  const ask = { sender: { name: sender } };
  return [
    words.pieces('checkLink', { host: { strong: host } }),
    replyTo
      ? words.pieces<Name | Link>('checkAskOrWrite', { ...ask, address: mailLink(replyTo) })
      : words.pieces('checkAsk', ask),
  ];
}

function questions({ words, settings: { replyTo } }: Facts): Sentence[] {
  return replyTo ? [words.pieces('questionsTo', { address: mailLink(replyTo) })] : [];
}

export function closing(words: Words, company: string): Sentence[] {
  return [[words.say('noTracking')], words.pieces('sentBy', { company: { name: company } })];
}

function reminders({ words, gift, settings, links: { quiet } }: Facts): Letter['footer'] {
  if (quiet === null) return [];
  const label = words.say('remindersStop');
  const beforeExpiry = gift.expiresAt && settings.reminderDaysBeforeExpiry !== null ? 1 : 0;
  const count = settings.reminderDays.length + beforeExpiry;
  if (count === 0) return [];
  const plain = words.say('labelled', { label, value: quiet });
  return [{ sentences: [[words.say('remindersAtMost', { count })], [{ href: quiet, label, plain }]] }];
}

function quoted(words: Words, text: string, most = 140): string {
  return words.say('quoted', { text: oneLine(text, most) });
}

function webLink(href: string): Link {
  return { href, label: href.replace(/^https?:\/\//, ''), plain: href };
}

function mailLink(address: string): Link {
  return { href: `mailto:${address}`, label: address, plain: address };
}
