import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type HistogramConfiguration,
  Registry,
} from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

let ofProcess: Registry | null = null;

/** Of Node, memory and processor: once in each process, because the library never ends its timer and its observer. */
function metricsOfProcess(): Registry {
  if (ofProcess) return ofProcess;
  ofProcess = new Registry();
  collectDefaultMetrics({ register: ofProcess });
  return ofProcess;
}

/** Gauges by name, with their help. One reading gives all their values when Prometheus asks; a value is NaN when it fails. */
export interface GaugeReading {
  gauges: Readonly<Record<string, string>>;
  read(): Promise<Readonly<Record<string, number>>>;
}

/** How many connections of a pool are open, and how many callers wait for one. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Waits of orders and emails, in seconds. */
const longWaits = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600];

/** A label has few values that the program knows beforehand: each value is a series that Prometheus keeps. */
export function createMetrics(readings: readonly GaugeReading[] = [], version = '') {
  const registry = Registry.merge([metricsOfProcess()]);
  const registers = [registry];
  if (cluster.isWorker) answerPrimary(registry);
  for (const reading of readings) addReading(reading, registers);

  new Gauge({
    name: 'giftwire_build_info',
    help: 'Always 1. Its labels say which version of Giftwire and of Node runs.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers,
  }).set({ version, node: process.version }, 1);

  const pools = new Map<string, PoolUse>();
  new Gauge({
    name: 'giftwire_database_connections',
    help: 'Connections to the database by pool: used, idle; waiting: callers that wait for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'used' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });

  let countUnderWay = () => 0;
  new Gauge({
    name: 'giftwire_http_requests_under_way',
    help: 'Requests that have begun and are not answered yet.',
    registers,
    collect() {
      this.set(countUnderWay());
    },
  });

  return {
    watchUnderWay(count: () => number) {
      countUnderWay = count;
    },
    watchPool(name: string, use: PoolUse) {
      pools.set(name, use);
    },
    contentType: registry.contentType,
    read: () => registry.metrics(),
    requests: new RequestDurations({
      name: 'giftwire_http_request_duration_seconds',
      help: 'Answered requests by method, route and status; its _count is their number.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    accepted: new Counter({ name: 'giftwire_orders_accepted_total', help: 'Orders accepted.', registers }),
    replayed: new Counter({
      name: 'giftwire_orders_replayed_total',
      help: 'Submissions answered with an earlier order of the same Idempotency-Key.',
      registers,
    }),
    completed: new Counter({ name: 'giftwire_orders_completed_total', help: 'Orders completed.', registers }),
    failed: new Counter({ name: 'giftwire_orders_failed_total', help: 'Orders that failed in fulfilment.', registers }),
    replicaReads: new Counter({
      name: 'giftwire_replica_reads_total',
      help: 'Reads that may run on the replica, by where they ran: replica; behind and unreachable: on the primary, because the replica could not; primary: without asking it, within a second after that.',
      labelNames: ['server'],
      registers,
    }),
    webhookAttempts: new Counter({
      name: 'giftwire_webhook_attempts_total',
      help: 'Attempts to post an event, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    mails: new Counter({
      name: 'giftwire_mails_total',
      help: 'Emails by outcome: sent, later (tried again), refused, unreachable (the mail server could not be used; tried again), withdrawn (the gift no longer needs it), without address.',
      labelNames: ['outcome'],
      registers,
    }),
    mailServerFailures: new Counter({
      name: 'giftwire_mail_server_failures_total',
      help: 'How often the mail server could not be used, so that all senders paused.',
      registers,
    }),
    webhooksDisabled: new Counter({
      name: 'giftwire_webhooks_disabled_total',
      help: 'Webhooks that were disabled because their endpoint failed or is gone.',
      registers,
    }),
    wrongCodes: new Counter({
      name: 'giftwire_wrong_gift_codes_total',
      help: 'Codes typed on gift pages that no gift has; refused, where too many came from the same address.',
      labelNames: ['outcome'],
      registers,
    }),
    completion: new Histogram({
      name: 'giftwire_order_completion_seconds',
      help: 'From the acceptance of an order to its completion.',
      buckets: longWaits,
      registers,
    }),
    mailWait: new Histogram({
      name: 'giftwire_mail_wait_seconds',
      help: 'From the moment at which an email was due until the mail server took it, of those it took at the first attempt.',
      buckets: longWaits,
      registers,
    }),
    gifts: new Counter({ name: 'giftwire_gifts_issued_total', help: 'Certificates issued.', registers }),
    batchSize: new Histogram({
      name: 'giftwire_batch_orders',
      help: 'Orders that shared one commit.',
      labelNames: ['step'],
      buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
      registers,
    }),
  };
}

function addReading({ gauges, read }: GaugeReading, registers: Registry[]): void {
  // The gauges are collected at the same time and share one reading.
  let reading: ReturnType<typeof read> | null = null;
  const readOnce = () => {
    reading ??= read()
      .catch(() => ({}))
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  for (const [name, help] of Object.entries(gauges))
    new Gauge({
      name,
      help,
      aggregator: 'max',
      registers,
      async collect() {
        this.set((await readOnce())[name] ?? Number.NaN);
      },
    });
}

interface Durations {
  labels: { method: string; route: string; status: number };
  /** How many were no longer than each bound, and longer than the one before; the last has no bound. */
  counts: number[];
  sum: number;
}

/** A histogram that is cheap to add to: the library would sort and join the labels of every request. */
class RequestDurations extends Histogram<'method' | 'route' | 'status'> {
  readonly #bounds: readonly number[];
  readonly #name: string;
  /** By route, a few each. Found without making a text of the labels. */
  readonly #durations = new Map<string, Durations[]>();

  constructor(options: HistogramConfiguration<'method' | 'route' | 'status'> & { buckets: number[] }) {
    super(options);
    this.#name = options.name;
    this.#bounds = options.buckets;
  }

  note(method: string, route: string, status: number, seconds: number): void {
    const durations = this.#find(method, route, status) ?? this.#add({ method, route, status });
    let bucket = 0;
    while (seconds > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    durations.counts[bucket] = (durations.counts[bucket] ?? 0) + 1;
    durations.sum += seconds;
  }

  #find(method: string, route: string, status: number): Durations | undefined {
    const ofRoute = this.#durations.get(route);
    return ofRoute?.find(({ labels }) => labels.status === status && labels.method === method);
  }

  #add(labels: Durations['labels']): Durations {
    const added = { labels, counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 };
    this.#durations.set(labels.route, [...(this.#durations.get(labels.route) ?? []), added]);
    return added;
  }

  /** The library reads all values with this, for the text and for other processes. */
  async getForPromString() {
    const { name, help, type, aggregator } = this as unknown as Readonly<Record<string, string>>;
    const values = [...this.#durations.values()].flat().flatMap((durations) => this.#valuesOf(durations));
    return { name, help, type, aggregator, values };
  }

  #valuesOf({ labels, counts, sum }: Durations) {
    const value = (part: string, value: number, own: object = {}) => ({
      metricName: `${this.#name}_${part}`,
      labels: own,
      sharedLabels: labels,
      value,
    });
    let count = 0;
    const buckets = counts.map((added, bucket) => {
      count += added;
      return value('bucket', count, { le: this.#bounds[bucket] ?? '+Inf' });
    });
    return [...buckets, value('sum', sum), value('count', count)];
  }
}

/** In one of several processes: sends its metrics to the parent process. */
function answerPrimary(registry: Registry): void {
  AggregatorRegistry.setRegistries([registry]);
  new AggregatorRegistry();
}

/** In the parent process: reads the sum of its processes' metrics. */
export function collectFromProcesses(): () => Promise<string> {
  const sum = new AggregatorRegistry();
  return () => sum.clusterMetrics();
}
