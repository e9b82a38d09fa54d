import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Forms of tú and vosotros that are nothing else. */
const tuForms = [
  ...[
    'tú',
    'tu',
    'tus',
    'te',
    'ti',
    'contigo',
    'tuyo',
    'tuya',
    'tuyos',
    'tuyas',
    'vosotros',
    'vuestro',
    'vuestra',
    'os',
  ],
  ...['eres', 'estás', 'tienes', 'puedes', 'quieres', 'debes', 'necesitas', 'sabes', 'vas', 'has', 'hayas', 'recibes'],
  ...['podrás', 'tendrás', 'verás', 'recibirás', 'perderás', 'quieras', 'puedas', 'tengas', 'eliges', 'elijas'],
  ...[
    'escríbelo',
    'ábrelo',
    'acéptalo',
    'canjéalo',
    'inténtalo',
    'déjalo',
    'revísalo',
    'introdúcelo',
    'pídelo',
    'envíalo',
  ],
];

/** Imperatives of tú. Within a sentence they are the third person too. */
const tuOrders = [
  ...[
    'Abre',
    'Acepta',
    'Añade',
    'Busca',
    'Cambia',
    'Canjea',
    'Comprueba',
    'Confirma',
    'Copia',
    'Corrige',
    'Da',
    'Descarga',
  ],
  ...[
    'Elige',
    'Escribe',
    'Espera',
    'Guarda',
    'Haz',
    'Importa',
    'Imprime',
    'Intenta',
    'Introduce',
    'Pega',
    'Pide',
    'Pon',
  ],
  ...['Pregunta', 'Pulsa', 'Revisa', 'Selecciona', 'Sube', 'Usa', 'Vuelve'],
];
const tuOrder = new RegExp(`(?:^|[.?!:] )(${tuOrders.join('|')})(?= )`, 'u');

/** What assumes the gender of the reader or of a person, or gives both in one word. */
const gendered = {
  es: /bienvenid[oa]|invitad[oa]|está segur[oa]|usted mism[oa]|\p{L}o\/a\b|\p{L}o\(a\)/iu,
  fr: /bienvenu\b|bienvenue? à vous|invitée?\b|\p{L}\(e\)|\p{L}·e|vous êtes (sûr|prêt|connecté)|êtes-vous (sûr|prêt)/iu,
};

test('Spanish texts say usted', () => {
  assert.deepEqual(findIn('es', wordsOf(tuForms)), []);
  assert.deepEqual(findIn('es', tuOrder), []);
});

test('French texts say vous', () => {
  assert.deepEqual(findIn('fr', wordsOf(['tu', 'toi', 'ton', 'ta', 'tes', 'te'])), []);
});

test('French and Spanish texts do not assume the gender of a person', () => {
  assert.deepEqual(findIn('es', gendered.es), []);
  assert.deepEqual(findIn('fr', gendered.fr), []);
});

function wordsOf(forms: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}{$])(${forms.join('|')})(?![\p{L}}])`, 'iu');
}

/** The texts of the console, of emails and of gift pages in a language that match. */
function findIn(language: string, pattern: RegExp): string[] {
  const files = globSync([`console/src/words/${language}/*.ts`, `src/giving/gifts/words/${language}/*.ts`]);
  const texts = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, plain, template]) => ({
      file,
      text: (plain ?? template ?? '').replaceAll(/\$\{[^}]*\}/g, '…'),
    })),
  );
  assert.ok(texts.length > 500, `${language} has texts`);
  return texts
    .filter(({ text }) => !text.startsWith('../') && pattern.test(text))
    .map(({ file, text }) => `${file}: ${text}`);
}
