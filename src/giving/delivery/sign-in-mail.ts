import { randomUUID } from 'node:crypto';
import { type Language, languages } from '../../ground/values/language.ts';
import { fixedHeaders, type Letterhead } from './compose/message.ts';
import { messageIdOf } from './compose/message-id.ts';
import type { DirectMail } from './send/direct-mail.ts';
import type { OutgoingMail } from './send/transport.ts';

/** What sends emails to users of the console: a mail server, not the outbox, in which no person reads them. */
export interface UserMails {
  letterhead: () => Letterhead;
  directMail: Pick<DirectMail, 'send'>;
}

interface SignInMail {
  to: string;
  link: string;
  /** The names of the workspaces that the link opens. */
  workspaces: readonly string[];
  /** The user's, or that of the workspace with its region. */
  language: string;
  /** Who added the user; absent: the user has asked for the link. */
  addedBy?: string | null;
}

/** An email with a sign-in link. It belongs to no gift: one that comes back changes nothing. */
export function writeSignInMail({ from, publicUrl }: Letterhead, mail: SignInMail): OutgoingMail {
  const { to, link, addedBy } = mail;
  const language = languages.find((one) => one === mail.language.slice(0, 2).toLowerCase()) ?? 'en';
  const words = texts[language];
  const names = mail.workspaces.join(', ');
  const isInvitation = addedBy !== undefined;
  const paragraphs = isInvitation
    ? [words.added(addedBy ?? null, names), link, words.once, words.later(`${publicUrl}/sign-in`)]
    : [words.asked(names), link, words.once, words.ignore];
  return {
    messageId: messageIdOf(`sign-in.${randomUUID()}`, from),
    envelope: { from, to },
    from: { name: 'Giftwire', address: from },
    to,
    subject: isInvitation ? words.addedSubject(names) : words.subject(names),
    text: `${paragraphs.join('\n\n')}\n`,
    headers: { ...fixedHeaders, 'Content-Language': language },
  };
}

interface Texts {
  subject: (names: string) => string;
  addedSubject: (names: string) => string;
  asked: (names: string) => string;
  added: (by: string | null, names: string) => string;
  once: string;
  later: (page: string) => string;
  ignore: string;
}

const texts: Record<Language, Texts> = {
  en: {
    subject: (names) => `Sign in to Giftwire: ${names}`,
    addedSubject: (names) => `You have access to Giftwire: ${names}`,
    asked: (names) => `With this link you sign in to ${names}:`,
    added: (by, names) => `${by ?? 'Giftwire'} added you to ${names}. With this link you sign in:`,
    once: 'It works once, within 15 minutes. Do not pass it on.',
    later: (page) => `After that, have a new link emailed to you at ${page}`,
    ignore: 'If you did not ask for it, ignore this email.',
  },
  fr: {
    subject: (names) => `Connexion à Giftwire\u00a0: ${names}`,
    addedSubject: (names) => `Vous avez accès à Giftwire\u00a0: ${names}`,
    asked: (names) => `Ce lien vous connecte à ${names}\u00a0:`,
    added: (by, names) => `${by ?? 'Giftwire'} vous a donné accès à ${names}. Ce lien vous connecte\u00a0:`,
    once: 'Il fonctionne une fois, pendant 15 minutes. Ne le transmettez pas.',
    later: (page) => `Ensuite, demandez un nouveau lien par courriel sur ${page}`,
    ignore: 'Si vous ne l’avez pas demandé, ignorez ce courriel.',
  },
  es: {
    subject: (names) => `Iniciar sesión en Giftwire: ${names}`,
    addedSubject: (names) => `Tiene acceso a Giftwire: ${names}`,
    asked: (names) => `Con este enlace inicia sesión en ${names}:`,
    added: (by, names) => `${by ?? 'Giftwire'} le dio acceso a ${names}. Con este enlace inicia sesión:`,
    once: 'Funciona una vez, durante 15 minutos. No lo comparta.',
    later: (page) => `Después, pida un enlace nuevo por correo en ${page}`,
    ignore: 'Si no lo pidió, ignore este correo.',
  },
};
