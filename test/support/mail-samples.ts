import type { MailToCompose } from '../../src/giving/delivery/compose/letter.ts';
import type { GiftToPrint, PrintOptions } from '../../src/giving/delivery/print/print.ts';
import { aMail, aPng } from './mails.ts';

const french = {
  language: 'FR_CA',
  firstName: 'Noémie',
  message:
    'Noémie, la migration de la paie est passée un vendredi soir et personne ne s’en est aperçu. C’est le plus beau compliment que je connaisse.\n\nPrenez votre soirée, elle est méritée.',
  reason: 'Au-delà des attentes',
  thanks: 'Merci Ada, quelle belle surprise.',
};
const spanish = {
  language: 'ES_MX',
  firstName: 'Lucía',
  message: 'Lucía, gracias por cuidar de todo el equipo durante el cierre de mes. Se nota cada día.',
  reason: 'Por encima de lo esperado',
  currency: 'MXN',
  amount: 1500,
  thanks: 'Muchas gracias, Ada.',
};
const arabic = {
  firstName: 'ليلى',
  lastName: 'حداد',
  senderName: 'سامي نصار',
  message:
    'ليلى، شكراً جزيلاً على عملك الرائع في مشروع الرواتب. لقد حافظت على هدوء أحد عشر شخصاً.\n\nThe whole Toronto office says thank you too.',
};
const chinese = {
  firstName: '美',
  senderName: '李伟',
  message: '谢谢你周五晚上的辛勤工作。\n工资系统上线非常顺利，没有人注意到任何变化 🎉👩🏽‍🚀',
};
const long = {
  firstName: 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh',
  senderName: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  message: `${'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(3)} https://example.com/${'a'.repeat(120)}`,
  reason: 'Grundstücksverkehrsgenehmigungszuständigkeitsübertragungsverordnung',
};
const yellow = {
  colour: '#FFD200',
  name: 'Helios Energie',
  sentence: 'Spend it in the canteen or at any of our four shops.',
};

const aDecision = { isDone: true, option: 'Food bank', amount: 20, note: 'Donated on 3 December.' };

/** The mails that show what can go wrong with the looks of a mail, by name. */
export const sampleMails: Record<string, MailToCompose> = {
  gift: aMail(),
  'gift-fr': aMail({ gift: french }),
  'gift-es': aMail({ gift: { ...spanish, expiresAt: null } }),
  'gift-arabic': aMail({ gift: arabic }),
  'gift-chinese': aMail({ gift: { ...chinese, expiresAt: null } }),
  'gift-long-words': aMail({ gift: long }),
  'gift-yellow': aMail({ settings: yellow }),
  'gift-navy-logo': aMail({
    settings: { colour: '#0A2540', hasLogo: true },
    logo: { type: 'image/png', bytes: aPng(360, 90, [10, 37, 64]) },
  }),
  'gift-orange': aMail({ settings: { colour: '#FF7A00', replyTo: null }, links: { ...aMail().links, quiet: null } }),
  reminder: aMail({ kind: 'REMINDER' }),
  'reminder-fr': aMail({ kind: 'REMINDER', gift: french }),
  'reminder-es': aMail({ kind: 'REMINDER', gift: spanish }),
  thanks: aMail({ kind: 'THANKS' }),
  'thanks-fr': aMail({ kind: 'THANKS', gift: french, settings: { language: 'FR_CA' } }),
  'thanks-es': aMail({ kind: 'THANKS', gift: spanish, settings: { language: 'ES_MX' } }),
  decision: aMail({ kind: 'DECISION', decision: aDecision }),
  'decision-declined': aMail({ kind: 'DECISION', decision: { ...aDecision, isDone: false, note: null } }),
  'decision-fr': aMail({
    kind: 'DECISION',
    gift: french,
    decision: { ...aDecision, isDone: false, note: 'Le fonds est clos cette année.' },
  }),
  'decision-es': aMail({
    kind: 'DECISION',
    gift: spanish,
    decision: { ...aDecision, option: 'Banco de alimentos', note: 'Donado el 3 de diciembre.' },
  }),
  code: aMail({ kind: 'CODE' }),
  'code-fr': aMail({ kind: 'CODE', gift: french }),
  'code-es': aMail({ kind: 'CODE', gift: spanish }),
};

const printed = [
  'gift',
  'gift-fr',
  'gift-es',
  'gift-arabic',
  'gift-chinese',
  'gift-long-words',
  'gift',
  'gift-fr',
  'gift-arabic',
];

export const samplePrints: Record<string, { gifts: GiftToPrint[]; options: PrintOptions }> = {
  'print-page': aPrint(['gift', 'gift-arabic'], 1),
  'print-sheet': aPrint(printed, 8),
};

function aPrint(names: readonly string[], perPage: 1 | 8): { gifts: GiftToPrint[]; options: PrintOptions } {
  const gifts = names.map((name): GiftToPrint => {
    const { gift, shortToken, links } = sampleMails[name] as MailToCompose;
    return { gift, shortToken, page: links.page };
  });
  const { settings, links } = aMail({ settings: { sentence: 'Spend it in the canteen or at any of our four shops.' } });
  return { gifts, options: { settings, codePage: links.codePage, perPage } };
}
