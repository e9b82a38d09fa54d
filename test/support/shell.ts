import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanUp } from './cleanup.ts';

export interface Shell {
  /** Runs lines as if a reader had pasted them, and returns what they printed. Rejects if a command fails. */
  paste(lines: string): Promise<string>;
  end(): Promise<void>;
}

/** One bash for a whole document: variables and files of one block are there for the next. */
export function openShell(folder: string, env: Record<string, string | undefined>): Shell {
  const bash = spawn('bash', ['-euo', 'pipefail', '-s'], { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const exited = once(bash, 'exit');
  let printed = '';
  let complaints = '';
  let blocks = 0;
  bash.stdout.setEncoding('utf8').on('data', (text) => {
    printed += text;
    bash.emit('printed');
  });
  bash.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  bash.stdin.on('error', () => undefined);

  async function end(): Promise<void> {
    bash.stdin.end();
    await exited;
  }
  cleanUp(end);

  return {
    async paste(lines) {
      const [file, mark] = [join(folder, `.block-${blocks}`), `\x1e${blocks++}\n`];
      printed = complaints = '';
      await writeFile(file, lines);
      bash.stdin.write(`. '${file}' </dev/null\nprintf '${mark.replace('\n', '\\n')}'\n`);
      while (!printed.endsWith(mark)) {
        if (bash.exitCode !== null) throw new Error(`these lines fail:\n${lines}\n${printed}${complaints}`);
        await Promise.race([once(bash, 'printed'), exited]);
      }
      return printed.slice(0, -mark.length);
    },
    end,
  };
}
