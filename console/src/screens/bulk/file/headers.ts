import { fold, folded, memberHeaders } from '../../../../../src/ground/sheets/headers.ts';
import type { Candidates } from './currency.ts';
import { currenciesNamed } from './currency.ts';

/** What a column can be. */
export const fields = [
  'email',
  'employeeNumber',
  'firstName',
  'lastName',
  'fullName',
  'amount',
  'currency',
  'message',
  'reason',
  'language',
  'deliverAt',
] as const;
export type Field = (typeof fields)[number];

/**
 * The names of each field, the more specific first: those that an import of people knows, and those that only lists of gifts have.
 * "Date" alone is not among them: it may be a birthday, and no gift is put off by mistake.
 */
const names: Record<Field, readonly string[]> = {
  email: [
    ...memberHeaders.email,
    ...folded('recipient email, recipients email, recipient, to, empfänger, destinataire'),
  ],
  employeeNumber: [...memberHeaders.employeeNumber, ...folded('number, id, badge')],
  firstName: [...memberHeaders.preferredFirstName, ...memberHeaders.firstName, ...memberHeaders.preferredName],
  lastName: [...memberHeaders.preferredLastName, ...memberHeaders.lastName],
  fullName: [...memberHeaders.fullName, ...folded('employee, person, recipient name, mitarbeiter, employé, empleado')],
  amount:
    folded(`gift amount, amount of gift, gift value, amount, value, gift, bonus, sum, geschenkbetrag, betrag, wert,
    summe, montant du cadeau, montant, valeur, somme, importe del regalo, importe, monto, cantidad, valor`),
  currency: folded(`gift currency, currency, currency code, currency iso code, local currency, währung, devise, monnaie,
    moneda, divisa`),
  message:
    folded(`gift message, message, note, text, words, comment, thanks, nachricht, botschaft, mitteilung, kommentar,
    mot, texte, commentaire, mensaje, nota, texto, comentario, dedicatoria`),
  reason: folded('reason, for, occasion, grund, anlass, motif, raison, motivo, razón, ocasión'),
  language: folded(`language, gift language, preferred language, language code, locale, lang, sprache, langue, idioma,
    lengua`),
  deliverAt: folded(`delivery date, deliver on, deliver at, delivery time, send date, send on, send at, sending date,
    scheduled for, zustelldatum, versanddatum, versand am, date d'envoi, date de livraison, envoyer le, fecha de envío,
    fecha de entrega, enviar el`),
};

/** The columns of each field by their names, the column with the most specific name first. */
export function columnsNamed(header: readonly string[], field: Field): number[] {
  const folds = header.map((name) => (field === 'amount' ? fold(withoutCurrency(name)) : fold(name)));
  const byName = names[field].flatMap((name) => folds.flatMap((one, at) => (one === name ? [at] : [])));
  // A column that is only called EUR has amounts.
  const bare = header.flatMap((name, at) => (field === 'amount' && folds[at] === '' && currencyIn(name) ? [at] : []));
  return [...byName, ...bare];
}

/** The currency that the name of a column says: `EUR`, `Amount (USD)`, `Betrag in €`; null: none. */
export function currencyIn(name: string): Candidates | null {
  for (const word of wordsOf(name)) {
    const named = currenciesNamed(word);
    if (named) return named;
  }
  return null;
}

function withoutCurrency(name: string): string {
  const rest = wordsOf(name).filter((word) => !currenciesNamed(word));
  return rest.filter((word) => !/^(?:in|en|de)$/i.test(word)).join(' ');
}

function wordsOf(name: string): string[] {
  return name.split(/[\s()[\]/:_,-]+/).filter(Boolean);
}
