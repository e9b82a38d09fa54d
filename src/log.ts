import { type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** Lines for people on a terminal, JSON anywhere else. Whatever is named like a secret is never written. */
export function createLog(level: string): Logger {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: ['authorization', '*.authorization', 'headers', '*.headers', '*.token'], censor: '[redacted]' },
  };
  if (!process.stdout.isTTY) return pino(options);
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
