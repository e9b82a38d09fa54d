import type { Span as OtelSpan } from '@opentelemetry/api';
import type { Sampler } from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../config/traces.ts';
import { type SpanStart, setTracing, type TraceSpan } from './spans.ts';

export interface TraceExport {
  /** Sends what is left. */
  stop(): Promise<void>;
}

const off: TraceExport = { stop: async () => {} };

/**
 * Sends traces to where the settings of OpenTelemetry say. Without them nothing is loaded. The exporter reads its settings from the
 * environment itself: the endpoint, headers, time-outs and certificates; so does the resource: the name of the service.
 */
export async function startTraceExport(settings: TraceSettings | null, version: string): Promise<TraceExport> {
  if (!settings) return off;
  const [api, { parseTraceParent }, resources, { TracerProvider, ...sdk }, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const named = resources.resourceFromAttributes({ 'service.name': 'giftwire', 'service.version': version });
  const provider = new TracerProvider({
    resource: named.merge(resources.detectResources({ detectors: [resources.envDetector] })),
    sampler: samplerOf(settings, sdk),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  });
  const tracer = provider.getTracer('giftwire', version);
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, consumer: api.SpanKind.CONSUMER };
  setTracing(({ name, kind, parent, attributes, startedAt }: SpanStart) => {
    const known = parent === null ? null : parseTraceParent(parent);
    const context = known ? api.trace.setSpanContext(api.ROOT_CONTEXT, known) : api.ROOT_CONTEXT;
    const options = { kind: kinds[kind], attributes, ...(startedAt !== undefined && { startTime: startedAt }) };
    return spanOf(tracer.startSpan(name, options, context), api.SpanStatusCode.ERROR);
  });
  return {
    async stop() {
      setTracing(null);
      await provider.shutdown().catch(() => {});
    },
  };
}

function spanOf(span: OtelSpan, failed: number): TraceSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    set: (attributes) => void span.setAttributes(attributes),
    fail: (message) => void span.setStatus({ code: failed, ...(message !== undefined && { message }) }),
    end: () => span.end(),
  };
}

type Sdk = typeof import('@opentelemetry/sdk-trace');

function samplerOf({ sampler, ratio, followsCaller }: TraceSettings, sdk: Omit<Sdk, 'TracerProvider'>): Sampler {
  const root = {
    always_on: () => new sdk.AlwaysOnSampler(),
    always_off: () => new sdk.AlwaysOffSampler(),
    traceidratio: () => new sdk.TraceIdRatioBasedSampler(ratio),
  }[sampler]();
  return followsCaller ? new sdk.ParentBasedSampler({ root }) : root;
}
