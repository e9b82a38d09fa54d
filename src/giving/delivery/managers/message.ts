import type { Ask } from '../../automations/asks.ts';
import { type Words, wordsFor } from '../../gifts/words/words.ts';
import { composeLetter } from '../compose/compose.ts';
import { closing, type Letter, type Sentence } from '../compose/letter.ts';
import { type Letterhead, type MailCompany, outgoing } from '../compose/message.ts';
import { messageIdOf } from '../compose/message-id.ts';
import { oneLine } from '../compose/plain.ts';
import { mailLink } from '../mail-link.ts';
import type { OutgoingMail } from '../send/transport.ts';
import type { ManagerMail } from './due.ts';

/** The email as it is handed to the mail server. */
export function addressManagerMail(
  { keys, publicUrl, from }: Letterhead,
  company: MailCompany,
  mail: ManagerMail & { address: string },
  asks: readonly Ask[],
): OutgoingMail {
  const words = wordsFor(mail.language ?? '', company.settings.language);
  const link = mailLink(keys, publicUrl, 'note', mail);
  const letter = (mail.kind === 'LINE' ? askingForLines : nudging)({ words, company, mail, asks, link });
  return outgoing(composeLetter(letter, company), from, {
    messageId: messageIdOf(`manager.${mail.mailId}`, from),
    envelope: { from, to: mail.address },
    to: { name: oneLine(mail.name, 80), address: mail.address },
    replyTo: company.settings.replyTo,
  });
}

/** The names and days of what a manager is asked about, as emails and pages write them. */
export function figuresOfAsk(words: Words, { person, trigger, automationName, years, forDay }: Ask) {
  const isFirstDay = trigger.is === 'AFTER_HIRE' && trigger.days === 0;
  return {
    person: oneLine(person, 80),
    what: words.say('occasion', {
      kind: isFirstDay ? 'FIRST_DAY' : trigger.is,
      years: years ?? 0,
      days: trigger.days ?? 0,
      name: oneLine(automationName, 80),
    }),
    day: words.day(new Date(`${forDay}T00:00:00Z`), 'UTC'),
  };
}

interface Facts {
  words: Words;
  company: MailCompany;
  mail: ManagerMail;
  asks: readonly Ask[];
  link: string;
}

/** As much of each message as a list of several people has room for. */
const longestInList = 200;

function askingForLines(facts: Facts): Letter {
  const { words, company, mail, asks, link } = facts;
  const [first] = asks as [Ask];
  const { what, day, person } = figuresOfAsk(words, first);
  const count = asks.length;
  const until = words.moment(first.dueAt, mail.timeZone);
  const isOne = count === 1;
  return {
    ...common(facts),
    subject: words.say('lineSubject', { count, person, what, day }),
    preview: words.say('linePreview', { until }),
    title: words.say('lineTitle', { count, person }),
    lead: isOne
      ? words.pieces('lineLead', { what: { strong: what }, day: { strong: day } })
      : [words.say('lineLeadAll')],
    ...(isOne && { quote: { text: first.message, by: oneLine(first.from ?? company.settings.name, 80) } }),
    button: { label: words.say('lineButton', { count }), href: link },
    facts: [
      { label: words.say('lineUntil'), value: until },
      ...(isOne && first.gift
        ? [{ label: words.say('lineGift'), value: words.money(first.gift.amount, first.gift.currency) }]
        : []),
    ],
    notes: [...(isOne ? [] : asks.map((ask) => inList(words, 'lineEach', ask))), [words.say('lineOptional')]],
  };
}

function nudging(facts: Facts): Letter {
  const { words, asks, link } = facts;
  const [first] = asks as [Ask];
  const { what, person } = figuresOfAsk(words, first);
  const count = asks.length;
  const isOne = count === 1;
  const title = words.say('nudgeTitle', { count, person });
  return {
    ...common(facts),
    subject: title,
    preview: words.say('nudgePreview'),
    title,
    lead: isOne ? words.pieces('nudgeLead', { what: { strong: what } }) : [words.say('nudgeLeadAll')],
    ...(isOne && { quote: { text: first.message, by: '' } }),
    button: { label: words.say('nudgeButton', { count }), href: link },
    facts: [],
    notes: [...(isOne ? [] : asks.map((ask) => inList(words, 'nudgeEach', ask))), [words.say('nudgeOptional')]],
  };
}

function inList(words: Words, key: 'lineEach' | 'nudgeEach', ask: Ask): Sentence {
  const { person, what, day } = figuresOfAsk(words, ask);
  const message = { name: oneLine(ask.message, longestInList) };
  return words.pieces<{ name: string } | { strong: string }>(key, { person: { strong: person }, what, day, message });
}

function common({ words, company: { settings }, link }: Facts) {
  const company = oneLine(settings.name, 80);
  const host = { strong: new URL(link).host };
  const footer: Letter['footer'] = [
    { title: words.say('askPersonal'), sentences: [[words.say('notePersonalText')]] },
    { title: words.say('checkTitle'), sentences: [words.pieces('checkLink', { host })] },
    { sentences: closing(words, company) },
  ];
  return { words, company, fromName: company, isPlain: true, footer };
}
