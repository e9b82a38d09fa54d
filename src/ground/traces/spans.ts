import { AsyncLocalStorage } from 'node:async_hooks';

/** A piece of work in a trace. */
export interface TraceSpan {
  traceId: string;
  /** What continues the trace elsewhere: a header of W3C. */
  traceparent: string;
  set(attributes: Attributes): void;
  fail(reason?: string): void;
  end(): void;
}

export type Attributes = Record<string, string | number>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'consumer';
  /** The traceparent of what caused it. One that cannot be read counts as none. */
  parent: string | null;
  attributes: Attributes;
  startedAt?: number;
}

export type StartSpan = (start: SpanStart) => TraceSpan;

/** Null unless traces are exported (export.ts): then no function here creates anything, and no work has a context. */
let tracing: { start: StartSpan; current: AsyncLocalStorage<TraceSpan> } | null = null;

export function setTracing(start: StartSpan | null): void {
  tracing = start && { start, current: new AsyncLocalStorage() };
}

/** The trace that the current work belongs to; null without one. */
export function currentTraceparent(): string | null {
  return tracing?.current.getStore()?.traceparent ?? null;
}

export function startRequestSpan(method: string, route: string, parent: string | null): TraceSpan | null {
  if (!tracing) return null;
  const attributes = { 'http.request.method': method, 'http.route': route };
  return tracing.start({ name: `${method} ${route}`, kind: 'server', parent, attributes });
}

export function endRequestSpan(span: TraceSpan, status: number): void {
  span.set({ 'http.response.status_code': status });
  if (status >= 500) span.fail();
  span.end();
}

/** Runs work in a span: its statements belong to the span, and what it writes notes the trace. */
export function withSpan<T>(span: TraceSpan, work: () => T): T {
  return tracing ? tracing.current.run(span, work) : work();
}

/** Traces a statement of the database if it belongs to a span. Values are not noted: they are personal data. */
export function traceStatement<T>(sql: string, run: () => Promise<T>): Promise<T> {
  const within = tracing?.current.getStore();
  return tracing && within ? statementSpan(tracing.start, within, sql, run) : run();
}

async function statementSpan<T>(start: StartSpan, within: TraceSpan, sql: string, run: () => Promise<T>): Promise<T> {
  const text = sql.trim();
  const [operation = ''] = text.split(/\s/, 1);
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text };
  const span = start({ name: operation, kind: 'client', parent: within.traceparent, attributes });
  try {
    return await run();
  } catch (error) {
    span.fail((error as Error).message);
    throw error;
  } finally {
    span.end();
  }
}

/** Notes work that has just ended, as a part of the trace of an earlier request. Null: that request had no trace. */
export function notePast(name: string, parent: string | null, seconds: number, attributes: Attributes): void {
  if (!tracing || parent === null) return;
  const startedAt = Date.now() - seconds * 1_000;
  tracing.start({ name, kind: 'consumer', parent, attributes, startedAt }).end();
}

/** Posts something as a part of the trace of its cause. The header continues that trace, also from a node that traces nothing. */
export async function tracePost<T extends { problem: string | null }>(
  parent: string | null,
  url: string,
  post: (headers: { traceparent?: string }) => Promise<T>,
): Promise<T> {
  if (parent === null) return post({});
  if (!tracing) return post({ traceparent: parent });
  const attributes = { 'http.request.method': 'POST', 'server.address': new URL(url).host };
  const span = tracing.start({ name: 'POST', kind: 'client', parent, attributes });
  const posted = await post({ traceparent: span.traceparent });
  if (posted.problem !== null) span.fail(posted.problem);
  span.end();
  return posted;
}
