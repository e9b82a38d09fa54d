import { styleText } from 'node:util';
import { type Logger, type LoggerOptions, pino } from 'pino';
import { isUnavailable, unavailable } from './errors.ts';

/** Readable lines on a terminal, JSON elsewhere. Fields that are named like a secret are never written. */
export async function createLog(level: string): Promise<Logger> {
  const options: LoggerOptions = {
    level,
    hooks: { logMethod: atMostOneUnavailable() },
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    timestamp,
    redact: { paths: ['authorization', '*.authorization', 'headers', '*.headers', '*.token'], censor: '[redacted]' },
  };
  const destination = pino.destination({ sync: true });
  return logTo(process.stdout.isTTY ? readableLines(destination) : gatherLines(destination), options);
}

const levelColors = { warn: 'yellow', error: 'red', fatal: 'red' } as const;
/** Fields that a reader at a terminal does without. */
const machineFields = ['reqId', 'traceId', 'method', 'path', 'status', 'ms'];

/** For a terminal: time, level and message in one line, and what else is known indented below it. */
function readableLines(destination: { write(text: string): unknown }): Lines {
  const paint = (color: 'dim' | 'green' | 'yellow' | 'red', text: string) =>
    styleText(color, text, { stream: process.stdout });
  return {
    write(line) {
      const { level, time, msg, ...fields } = JSON.parse(line) as Record<string, unknown> & {
        level: string;
        time: string;
      };
      const { method, path, status, ms } = fields;
      const message = path ? `${method} ${path} ${status} in ${ms} ms` : msg;
      const more = Object.entries(fields)
        .filter(([name]) => !machineFields.includes(name))
        .map(([name, value]) => {
          const text = Object(value).stack ?? (typeof value === 'string' ? value : JSON.stringify(value));
          return `\n    ${name}: ${text.replaceAll('\n', '\n    ')}`;
        });
      const color = levelColors[level as keyof typeof levelColors] ?? 'green';
      const clock = new Date(time).toTimeString().slice(0, 8);
      destination.write(`${paint('dim', clock)} ${paint(color, level)} ${message}${more.join('')}\n`);
    },
  };
}

type Lines = { write(text: string): void };

/** Where each log writes. */
const linesOf = new WeakMap<Logger, Lines>();

/** A log that writes to the given lines. */
function logTo(lines: Lines, options: LoggerOptions): Logger {
  const log = pino(options, lines);
  linesOf.set(log, lines);
  return log;
}

export interface AnswerLine {
  level: 'debug' | 'info';
  reqId: string;
  traceId: string | undefined;
  method: string;
  path: string;
  status: number;
  ms: number;
  message: string;
}

/**
 * Writes a line for each answered request to where the log writes. Its fields are known and none is a secret, so it does without
 * pino, which would look at every field and for secrets in it. Only the path is text that a caller can choose.
 */
export function createAnswerLog(log: Logger): (line: AnswerLine) => void {
  const lines = linesOf.get(log);
  if (!lines) return ({ level, message, ...fields }) => log[level](fields, message);
  return ({ level, reqId, traceId, method, path, status, ms, message }) => {
    if (!log.isLevelEnabled(level)) return;
    const trace = traceId === undefined ? '' : `,"traceId":"${traceId}"`;
    const request = `"reqId":"${reqId}"${trace},"method":"${method}","path":${JSON.stringify(path)}`;
    const answer = `"status":${status},"ms":${Math.round(ms * 10) / 10},"msg":"${message}"`;
    lines.write(`{"level":"${level}"${timestamp()},${request},${answer}}\n`);
  };
}

let second = 0;
let writtenSecond = '';

/** In ISO 8601. Formatting it is a good part of a line's cost, so that is done once a second. */
function timestamp(): string {
  const now = Date.now();
  const ms = now % 1_000;
  if (now - ms !== second) {
    second = now - ms;
    writtenSecond = `,"time":"${new Date(second).toISOString().slice(0, -4)}`;
  }
  return `${writtenSecond}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z"`;
}

// A pipe takes this many bytes in one piece, so that the lines of several processes are not mixed.
const longestWrite = 4096;

/** Writes the lines of one turn of the event loop together, at its end: under load, one write for many lines. */
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

const pauseMs = 1_000;

/**
 * Writes at most one line a second that says that the database is away or the service busy, and says with the next one how many it has left
 * out: every request, every connection and every kind of recurring work has that problem at the same time.
 */
export function atMostOneUnavailable(): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  let until = Number.NEGATIVE_INFINITY;
  let leftOut = 0;
  return function writeSparingly(this: Logger, args, method) {
    const [details, ...rest] = args as [unknown, ...never[]];
    if (!isUnavailable(Object(details).err)) return method.apply(this, args);
    const now = performance.now();
    if (now < until) {
      leftOut++;
      return;
    }
    until = now + pauseMs;
    const said = leftOut > 0 ? { ...Object(details), leftOut } : details;
    leftOut = 0;
    method.apply(this, [said, ...rest] as Parameters<typeof method>);
  };
}

/** For the pools of connections. */
export function logLostConnections(log: Logger): (error: Error) => void {
  return (error) => log.warn({ err: unavailable(error) }, 'A database connection was lost.');
}
