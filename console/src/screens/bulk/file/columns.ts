import type { Sheet } from './read.ts';

/** What a column can be. */
export const fields = [
  'email',
  'employeeNumber',
  'firstName',
  'lastName',
  'fullName',
  'amount',
  'message',
  'reason',
] as const;
export type Field = (typeof fields)[number];

/** The field of each column; null: the column is left out. A field has one column at most. */
export type Mapping = readonly (Field | null)[];

/** How columns are called in files that people have. Compared without case, accents and anything but letters and digits. */
const names: Record<Field, readonly string[]> = {
  email: [
    ...['email', 'emailaddress', 'mail', 'workemail', 'recipientemail', 'recipientsemail', 'to'],
    ...['courriel', 'adressecourriel', 'adresseemail', 'correo', 'correoelectronico', 'emaildeltrabajo'],
  ],
  employeeNumber: [
    ...['employeenumber', 'employeeid', 'employeeno', 'number', 'staffid', 'personnelnumber', 'id', 'empid', 'badge'],
    ...['matricule', 'numerodemploye', 'numerodeempleado', 'numeroempleado', 'legajo'],
  ],
  firstName: ['firstname', 'first', 'givenname', 'forename', 'prenom', 'nombre', 'preferredname'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'nom', 'nomdefamille', 'apellido', 'apellidos'],
  fullName: ['name', 'fullname', 'employee', 'recipient', 'person', 'nomcomplet', 'nombrecompleto', 'displayname'],
  amount: [
    ...['amount', 'value', 'gift', 'giftamount', 'cad', 'usd', 'eur', 'gbp', 'mxn', 'bonus', 'sum'],
    ...['montant', 'valeur', 'somme', 'importe', 'monto', 'cantidad', 'valor'],
  ],
  message: [
    ...['message', 'note', 'text', 'words', 'comment', 'thanks', 'giftmessage'],
    ...['mot', 'texte', 'commentaire', 'mensaje', 'nota', 'texto', 'comentario'],
  ],
  reason: ['reason', 'for', 'occasion', 'motif', 'raison', 'motivo', 'razon'],
};

/** Guesses what the columns are: by their names, then by what stands in them. */
export function guessMapping({ header, rows }: Pick<Sheet, 'header' | 'rows'>): Mapping {
  const taken = new Set<Field>();
  const take = (field: Field | null | undefined) => {
    if (!field || taken.has(field)) return null;
    taken.add(field);
    return field;
  };
  const byName = header.map((name) => take(fieldNamed(name)));
  const sample = rows.slice(0, 50);
  return byName.map((field, at) => {
    if (field) return field;
    const texts = sample.map(({ cells }) => cells[at]?.trim() ?? '').filter(Boolean);
    return texts.length > 0 && texts.every((text) => /^\S+@\S+\.\S+$/.test(text)) ? take('email') : null;
  });
}

function fieldNamed(name: string): Field | undefined {
  const key = name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
  return fields.find((field) => names[field].includes(key));
}

/** The mapping with one column changed. The column that had the field before loses it. */
export function remap(mapping: Mapping, column: number, field: Field | null): Mapping {
  return mapping.map((one, at) => (at === column ? field : one === field ? null : one));
}
