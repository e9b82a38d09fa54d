import type { Fault } from '../errors.ts';
import type { Env } from './sources.ts';

const samplers = ['always_on', 'always_off', 'traceidratio'] as const;

export interface TraceSettings {
  sampler: (typeof samplers)[number];
  /** For traceidratio: the share of traces that is kept. */
  ratio: number;
  /** Whether a caller that sends a trace decides if it is kept. */
  followsCaller: boolean;
}

/**
 * Whether traces are sent, and which, by the usual settings of OpenTelemetry. The exporter itself reads the others (docs/operate.md). Null
 * without an endpoint.
 */
export function readTraceSettings(env: Env): { traces: TraceSettings | null; faults: Fault[] } {
  const none = { traces: null, faults: [] };
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return none;
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT && !env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return none;
  const { OTEL_TRACES_SAMPLER: name = 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: share = '1' } = env;
  const ratio = Number(share);
  const sampler = samplers.find((one) => one === name.replace(/^parentbased_/, ''));
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  const faults = [
    env.OTEL_TRACES_EXPORTER !== undefined &&
      env.OTEL_TRACES_EXPORTER !== 'otlp' && { path: 'OTEL_TRACES_EXPORTER', problem: 'must be otlp or none' },
    protocol !== 'http/protobuf' && { path: 'OTEL_EXPORTER_OTLP_PROTOCOL', problem: 'must be http/protobuf' },
    !sampler && {
      path: 'OTEL_TRACES_SAMPLER',
      problem: `must be one of ${samplers.flatMap((one) => [one, `parentbased_${one}`]).join(', ')}`,
    },
    !(ratio >= 0 && ratio <= 1) && { path: 'OTEL_TRACES_SAMPLER_ARG', problem: 'must be a number from 0 to 1' },
  ].filter((fault) => fault !== false);
  return { traces: sampler ? { sampler, ratio, followsCaller: name.startsWith('parentbased_') } : null, faults };
}
