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
  es: /bienvenid[oa]|invitad[oa]|está segur[oa]|(usted|uno) mism[oa]|\p{L}o\/a\b|\p{L}o\(a\)/iu,
  fr: /bienvenu\b|bienvenue? à vous|invitée?\b|\p{L}\(e\)|\p{L}·e|vous êtes (sûr|prêt|connecté)|êtes-vous (sûr|prêt)|^sera \p{L}+é |les présents/iu,
};

/** Other words for what has one word, and words of Europe where Canada and Latin America have their own. */
const otherWords: Record<'fr' | 'es', Record<string, string[]>> = {
  fr: {
    courriel: ['mail', 'mails', 'email', 'e-mail', 'e-mails'],
    'serveur de messagerie': ['serveur de courriel'],
    exportation: ['export', 'exports'],
    'tentative, or test': ['essai', 'essais'],
    motif: ['raison', 'raisons'],
    détaillant: ['enseigne', 'enseignes'],
    'Facultative, of a feminine noun': ['Facultatif\\. \\p{L}+ée'],
    cent: ['centime', 'centimes'],
    'système RH': ['SIRH'],
    'aucun … pour l’instant': ['pas encore d’\\p{L}+'],
    'envoyer un remerciement': ['donner (un|des) remerciements?'],
  },
  es: {
    correo: ['mail', 'mails', 'email', 'e-mail'],
    costos: ['costes'],
    centavo: ['céntimo', 'céntimos'],
    'en promedio': ['de media'],
    nómina: ['nóminas'],
    huella: ['hash', 'hashes'],
    solicitud: ['petición', 'peticiones'],
    aceptar: ['reclamar', 'reclame'],
    'aún no hay': ['todavía no hay'],
    'enviar un agradecimiento': ['dar (un )?agradecimientos?'],
    'the simple past, as in the console': ['hemos \\p{L}+', 'le ha \\p{L}+', 'se ha (atendido|rechazado|canjeado)'],
  },
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

test('each concept has one word in French and in Spanish', () => {
  for (const language of ['fr', 'es'] as const)
    for (const [word, others] of Object.entries(otherWords[language]))
      assert.deepEqual(findIn(language, wordsOf(others)), [], `say: ${word}`);
});

test('French has spaces that do not break beside colons, question marks and quotation marks', () => {
  assert.deepEqual(findIn('fr', /(?<![\u00a0\u202f])[;?!»](?!\p{L})|(?<![\d\u00a0\u202f]):(?= |$)|«(?!\u00a0)/u), []);
  assert.deepEqual(findIn('fr', /[\d…] %/), []);
});

test('screens take the colon between a label and its value from the texts', () => {
  const files = globSync(['console/src/{,my/}{screens,parts,shell,gift}/**/*.{ts,tsx}']);
  assert.ok(files.length > 100);
  const found = files.filter((file) => /`[^`\n]*\}: \$\{[^`\n]*`|>: \{/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(found, []);
});

test('Spanish questions and exclamations are opened, and percent signs do not break away', () => {
  const opened = /^[^¿?]*(¿[^¿?]*\?[^¿?]*)*$/u;
  assert.deepEqual(findIn('es', { test: (text) => !opened.test(text) }), []);
  assert.deepEqual(findIn('es', /!|[\d…] %/), []);
});

function wordsOf(forms: readonly string[]): RegExp {
  return new RegExp(String.raw`(?<![\p{L}{$_])(${forms.join('|')})(?![\p{L}}])`, 'iu');
}

/** The texts of the console, of emails and of gift pages in a language that match. */
function findIn(language: 'fr' | 'es', pattern: { test: (text: string) => boolean }): string[] {
  const texts = [...sourcesOf(language)].flatMap(({ file, source }) =>
    [...source.matchAll(/'([^'\n]*)'|`([^`]*)`/g)].map(([, plain, template]) => ({
      file,
      text: (plain ?? template ?? '')
        .replaceAll(/\$\{[^}]*(\}|$)/g, '…')
        .replaceAll(/', \{ n: \w+ \}\)\}/g, '')
        .replaceAll(/\\u([\da-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    })),
  );
  assert.ok(texts.length > 500, `${language} has texts`);
  return texts.filter(({ text }) => !isName(text) && pattern.test(text)).map(({ file, text }) => `${file}: ${text}`);
}

/** Paths, and names of events, actions and scopes. */
function isName(text: string): boolean {
  return /^\.\.?\//.test(text) || /^[a-z_]+[.:][a-z_]+$/.test(text);
}

function* sourcesOf(language: 'fr' | 'es'): Generator<{ file: string; source: string }> {
  for (const file of globSync([`console/src/{,my/}words/${language}/*.ts`, `src/giving/gifts/words/${language}/*.ts`]))
    yield { file, source: readFileSync(file, 'utf8') };
  for (const file of ['src/giving/delivery/sign-in-mail.ts', 'console/src/screens/branding/brand-preview.tsx']) {
    const [, source] = new RegExp(`\\n  ${language}: \\{\\n(.*?)\\n  \\},`, 's').exec(readFileSync(file, 'utf8')) ?? [];
    assert.ok(source, `${file} has texts in ${language}`);
    yield { file, source };
  }
}
