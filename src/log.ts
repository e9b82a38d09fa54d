import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Readable lines on a terminal, JSON elsewhere. Fields that are named like a secret are never written. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp,
    redact: { paths: ['authorization', '*.authorization', 'headers', '*.headers', '*.token'], censor: '[redacted]' },
  };
  if (!process.stdout.isTTY) return pino(options, gatherLines(pino.destination({ sync: true })));
  const lines = pretty({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,reqId,method,path,status,ms',
    messageFormat: (entry, key) =>
      entry.path ? `${entry.method} ${entry.path} ${entry.status} in ${entry.ms} ms` : String(entry[key]),
    sync: true,
  });
  return pino(options, lines);
}

let writtenAt = 0;
let written = '';

/** As ISO 8601. Making that text is a good part of making a line, so it is made once a millisecond. */
function timestamp(): string {
  const now = Date.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

// What a pipe takes in one piece, so that the lines of several processes are not mixed.
const longestWrite = 4096;

/** Lines of one turn of the event loop are written together, at its end: under load that is one write for many. */
function gatherLines(destination: { write(text: string): unknown }) {
  let held = '';
  const flush = () => {
    if (held === '') return;
    destination.write(held);
    held = '';
  };
  process.on('exit', flush);
  return {
    write(line: string) {
      if (held.length + line.length > longestWrite) flush();
      if (held === '') setImmediate(flush);
      held += line;
    },
  };
}
