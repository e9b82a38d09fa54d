import { type Words, wordsFor } from '../../gifts/words/words.ts';
import { type ComposedMail, composeLetter } from '../compose/compose.ts';
import { closing, type Letter, type Sentence } from '../compose/letter.ts';
import { type Letterhead, type MailCompany, outgoing } from '../compose/message.ts';
import { messageIdOf } from '../compose/message-id.ts';
import { oneLine } from '../compose/plain.ts';
import { mailLink } from '../mail-link.ts';
import type { OutgoingMail } from '../send/transport.ts';
import type { ApprovalMail } from './due.ts';
import type { Matter } from './matter.ts';

/** The email as it is handed to the mail server. */
export function addressApprovalMail(
  letterhead: Letterhead,
  company: MailCompany,
  mail: ApprovalMail,
  matter: Matter,
): OutgoingMail {
  const { keys, publicUrl, from } = letterhead;
  const link = mail.kind === 'ASKED' ? mailLink(keys, publicUrl, 'decide', mail) : orderLink(letterhead, mail, matter);
  return outgoing(writeApprovalMail(company, mail, matter, link), from, {
    // An order that joins the email after it was sent is another email.
    messageId: messageIdOf(`approval.${mail.mailId}.${matter.requestIds.length}`, from),
    envelope: { from, to: mail.address },
    to: { name: oneLine(mail.name, 80), address: mail.address },
    replyTo: company.settings.replyTo,
  });
}

function writeApprovalMail(
  company: MailCompany,
  mail: Pick<ApprovalMail, 'kind' | 'language'>,
  matter: Matter,
  link: string | null,
): ComposedMail {
  const words = wordsFor(mail.language ?? '', company.settings.language);
  const letter = (mail.kind === 'ASKED' ? asked : told)({ words, company, matter, link, ...figuresOf(words, matter) });
  return composeLetter(letter, company);
}

/** The screen of the order. A sender who does not sign in has no use for it. */
function orderLink({ publicUrl }: Letterhead, { userId, workspaceId }: ApprovalMail, { requestIds }: Matter) {
  return userId === null ? null : `${publicUrl}/w/${workspaceId}/approvals/${requestIds[0]}`;
}

/** The names and figures of a matter, as emails and pages write them. */
export function figuresOf(words: Words, { sender, gifts, total, currency, only }: Matter) {
  return {
    sender: oneLine(sender, 80),
    amount: words.money(total, currency),
    whom: words.say('giftsOrName', { gifts, recipient: oneLine(only?.recipient ?? '', 80) }),
  };
}

interface Facts extends ReturnType<typeof figuresOf> {
  words: Words;
  company: MailCompany;
  matter: Matter;
  link: string | null;
}

type Part = { name: string } | { strong: string };

function asked(facts: Facts): Letter {
  const { words, company, matter, link, sender, amount, whom } = facts;
  const { note, only, gifts, decideBy } = matter;
  const day = words.lastDay(decideBy, company.settings.timeZone);
  const written = note ?? only?.message;
  return {
    ...common(facts, sender),
    subject: words.say('approvalSubject', { sender, amount }),
    preview: words.say('askPreview', { amount, whom, day }),
    title: words.say('askTitle', { sender, amount }),
    lead: words.pieces<Part>('askLead', { whom: { strong: whom } }),
    ...(written && { quote: { text: written, by: sender } }),
    ...(link !== null && { button: { label: words.say('askButton'), href: link } }),
    facts: [
      { label: words.say('askTotal'), value: amount },
      { label: words.say('askGifts'), value: words.number(gifts) },
      { label: words.say('askBy'), value: day },
    ],
    notes: reasons(facts),
    footer: [
      ...(link === null ? [] : aboutLink(words, link)),
      { sentences: closing(facts.words, oneLine(company.settings.name, 80)) },
    ],
  };
}

function aboutLink(words: Words, link: string): Letter['footer'] {
  const host = { strong: new URL(link).host };
  return [
    { title: words.say('askPersonal'), sentences: [[words.say('askPersonalText')]] },
    { title: words.say('checkTitle'), sentences: [words.pieces('checkLink', { host })] },
  ];
}

/** Why the reader is asked. */
function reasons({ words, matter: { rule, ownersAsked, approvedBy } }: Facts): Sentence[] {
  const first = words.pieces<Part>('askRule', { rule: { strong: oneLine(rule, 120) } });
  return [
    first,
    ...(ownersAsked ? [[words.say('askOwners')]] : []),
    ...(approvedBy === null ? [] : [words.pieces<Part>('askSecond', { name: { name: oneLine(approvedBy, 80) } })]),
  ];
}

function told(facts: Facts): Letter {
  const { words, matter, link, sender, amount, whom } = facts;
  const { is, by, comment } = matter.decision ?? { is: 'EXPIRED', by: null, comment: null };
  const name = oneLine(by?.name ?? '', 80);
  return {
    ...common(facts, name),
    subject: words.say('toldSubject', { decision: is, amount, whom }),
    preview: comment ?? words.say('toldTitle', { decision: is, name }),
    title: words.say('toldTitle', { decision: is, name }),
    lead: words.pieces<Part>('toldLead', { decision: is, amount: { strong: amount }, whom: { name: whom } }),
    ...(comment !== null && { quote: { text: comment, by: name } }),
    ...(link !== null && { button: { label: words.say('toldButton'), href: link } }),
    facts: [
      { label: words.say('askGifts'), value: words.number(matter.gifts) },
      { label: words.say('toldSender'), value: sender },
      { label: words.say('toldRule'), value: oneLine(matter.rule, 120) },
    ],
    notes: [],
    footer: [{ sentences: closing(words, oneLine(facts.company.settings.name, 80)) }],
  };
}

function common({ words, company: { settings } }: Facts, person: string) {
  const company = oneLine(settings.name, 80);
  const fromName = person === '' || person === company ? company : words.say('from', { person, company });
  return { words, company, fromName, isPlain: true };
}
