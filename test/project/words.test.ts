import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Where these words must not come back: what people read, and the comments beside it. */
const places = ['src', 'console/src', 'sdk/src', 'sdk/README.md', 'docs', ...rootDocuments()];
const endings = ['.ts', '.tsx', '.md'];

const unclear: Record<string, RegExp> = {
  'name the role: recipient, sender, owner, people team, operator, caller': /\b(somebody|nobody|anybody|whoever)\b/i,
  'say "all", "any", or what it does not depend on': /\bwhatever\b/i,
  'say "permanently", "no expiry date" or "not tried again"': /\bfor good\b/i,
  'say what it identifies, opens, refers or resolves to': /\bleads? to\b/i,
  'say "repair" or "correct"': /\bputs? right\b/i,
  'say "invalid", or name what is wrong': /\bat fault\b/i,
  'say "this many", or name the number': /\bso many\b/i,
  'say what there is': /\bis none\b(?! yet)/i,
  'say "Leave empty to …"': /'Empty: /,
  'say "an email"': /\ba mail\b(?! (server|provider|program|scanner))/i,
};

/** Deliberate uses: a user of the operating system, and messages that people of the demo company wrote. */
const exceptions = [/[`'"]nobody[`'"]/, /^src\/doors\/demo\//, /^CHANGELOG\.md/, /^console\/src\/words\/(fr|es)\//];

test('texts, documents and comments name roles and use the plain word', () => {
  const found = filesOf(places).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, nth) =>
        Object.entries(unclear)
          .filter(([, words]) => words.test(line))
          .map(([advice]) => `${file}:${nth + 1}: ${advice}: ${line.trim().slice(0, 120)}`)
          .filter((said) => !exceptions.some((exception) => exception.test(said))),
      ),
  );
  assert.deepEqual(found, []);
});

function filesOf(under: readonly string[]): string[] {
  const files = execFileSync('git', ['ls-files', '--', ...under], { encoding: 'utf8' }).split('\n');
  return files.filter((file) => endings.some((ending) => file.endsWith(ending)) && !file.endsWith('generated.ts'));
}

function rootDocuments(): string[] {
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md'];
}
