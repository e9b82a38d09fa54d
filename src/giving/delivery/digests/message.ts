import type { FeedPerson, FeedPost } from '../../../ground/contract/feed.ts';
import { addDays, firstOfMonth } from '../../../ground/values/calendar.ts';
import { deriveSecret } from '../../gifts/token-keys.ts';
import { type Words, wordsFor } from '../../gifts/words/words.ts';
import { composeLetter } from '../compose/compose.ts';
import { closing, type Letter, type Section } from '../compose/letter.ts';
import { type Letterhead, type MailCompany, outgoing, unsubscribeHeaders } from '../compose/message.ts';
import { messageIdOf } from '../compose/message-id.ts';
import { oneLine } from '../compose/plain.ts';
import type { OutgoingMail } from '../send/transport.ts';
import type { Forgotten, Week } from './content.ts';
import type { ReadyDigest } from './due.ts';
import { unsubscribeLink } from './unsubscribe.ts';

/** As much of a message as a list has room for. */
const longestExcerpt = 220;

/** The email as it is handed to the mail server. */
export function addressDigest(letterhead: Letterhead, company: MailCompany, mail: ReadyDigest): OutgoingMail {
  const { keys, publicUrl, from } = letterhead;
  const link = unsubscribeLink(keys, publicUrl, mail);
  return outgoing(composeLetter(writeDigest(publicUrl, company, mail, link), company), from, {
    messageId: messageIdOf(`digest.${nameOf(letterhead, mail)}`, from),
    envelope: { from, to: mail.address },
    to: { name: oneLine(mail.name, 80), address: mail.address },
    replyTo: company.settings.replyTo,
    headers: unsubscribeHeaders(link),
  });
}

/** Made of what the email is, without saying it. */
function nameOf({ keys }: Letterhead, { workspaceId, kind, period, memberId }: ReadyDigest): string {
  const secret = deriveSecret(keys)(`digest-mail:${workspaceId}:${kind}:${period}:${memberId}`, keys.current);
  return secret.subarray(0, 16).toString('hex');
}

function writeDigest(
  publicUrl: string,
  { settings }: Pick<MailCompany, 'settings'>,
  mail: ReadyDigest,
  unsubscribe: string,
): Letter {
  const { about, language } = mail;
  const words = wordsFor(language ?? '', settings.language);
  const company = oneLine(settings.name, 80);
  const app = `${publicUrl}/my/${mail.workspaceId}`;
  const { why, ...said } =
    'week' in about ? ofWeek(words, company, mail, about.week, app) : ofMonth(words, mail, about.forgotten, app);
  const label = words.say('digestUnsubscribe');
  const link = { href: unsubscribe, label, plain: words.say('labelled', { label, value: unsubscribe }) };
  return {
    ...said,
    words,
    company,
    fromName: company,
    isPlain: true,
    facts: [],
    footer: [
      { sentences: [[why], [link]] },
      {
        title: words.say('checkTitle'),
        sentences: [words.pieces('checkLink', { host: { strong: new URL(publicUrl).host } })],
      },
      { sentences: closing(words, company) },
    ],
  };
}

type Said = Pick<Letter, 'subject' | 'preview' | 'title' | 'lead' | 'sections' | 'button' | 'notes'> & { why: string };

function ofWeek(words: Words, company: string, { period }: ReadyDigest, week: Week, app: string): Said {
  const day = (text: string) => words.day(new Date(`${text}T00:00:00Z`), 'UTC');
  const { received, given, newest } = week;
  const span = { from: day(addDays(period, -7)), to: day(addDays(period, -1)) };
  const sections: Section[] = [
    {
      title: words.say('digestReceived', { count: received.total }),
      entries: received.posts.map((post) =>
        entryOf(words, post, words.pieces('digestFrom', { person: { strong: nameOfPerson(words, post.sender) } })),
      ),
    },
    {
      title: words.say('digestGiven', { count: given.total }),
      entries: given.posts.map((post) =>
        entryOf(words, post, words.pieces('digestTo', { people: { strong: receiversOf(words, post) } })),
      ),
    },
    {
      title: words.say('digestNewest'),
      entries: newest.map((post) =>
        entryOf(
          words,
          post,
          words.pieces('digestBetween', {
            person: { strong: nameOfPerson(words, post.sender) },
            people: { strong: receiversOf(words, post) },
          }),
        ),
      ),
    },
  ];
  return {
    subject: words.say('digestSubject', { count: received.total, company }),
    preview: words.say('digestLead', span),
    title: words.say('digestTitle'),
    lead: [words.say('digestLead', span)],
    sections: sections.filter(({ entries }) => entries.length > 0),
    button: { label: words.say('digestButton'), href: `${app}/feed` },
    notes: [],
    why: words.say('digestWhy'),
  };
}

function entryOf(words: Words, { message, isPrivate }: FeedPost, lead: Section['entries'][number]['lead']) {
  return {
    lead: isPrivate ? [...lead, ` · ${words.say('digestPrivate')}`] : lead,
    text: oneLine(message, longestExcerpt),
  };
}

function nameOfPerson(words: Words, { firstName, lastName }: FeedPerson): string {
  return oneLine(`${firstName} ${lastName}`, 60) || words.say('digestColleague');
}

/** The first of them whom the reader may see, and how many others there are. */
function receiversOf(words: Words, { receivers: [first], receiverCount }: FeedPost): string {
  const name = first ? nameOfPerson(words, first) : words.say('digestColleague');
  return words.say('digestPeople', { name, others: receiverCount - 1 });
}

function ofMonth(words: Words, { period, hasApp }: ReadyDigest, { total, names }: Forgotten, app: string): Said {
  const first = new Date(`${firstOfMonth(period, -1)}T00:00:00Z`);
  const month = new Intl.DateTimeFormat(words.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    first,
  );
  const listed = names.map((name) => oneLine(name, 60) || words.say('digestColleague'));
  const others = total - listed.length;
  const subject = words.say('digestMonthSubject', { count: total, month });
  return {
    subject,
    preview: listed.slice(0, 3).join(', '),
    title: words.say('digestMonthTitle', { month }),
    lead: [words.say('digestMonthLead', { count: total })],
    sections: [
      {
        entries: [
          ...listed.map((name) => ({ lead: [{ strong: name }] })),
          ...(others > 0 ? [{ lead: [words.say('digestMonthOthers', { count: others })] }] : []),
        ],
      },
    ],
    ...(hasApp && { button: { label: words.say('digestMonthButton'), href: `${app}/give` } }),
    notes: [[words.say('digestMonthNote')]],
    why: words.say('digestMonthWhy'),
  };
}
