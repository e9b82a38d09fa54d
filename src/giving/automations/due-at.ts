const [dayMs, hourMs] = [86_400_000, 3_600_000];

/**
 * The moment at which a day has an hour in a time zone, in milliseconds. An hour that a change of clocks skips: the next moment that exists. An
 * hour that comes twice: the first.
 */
export function dueAtOf(sendDay: string, hour: number, zone: string): number {
  const known = knownIn(zone);
  const key = `${sendDay} ${hour}`;
  let at = known.moments.get(key);
  if (at === undefined) {
    at = momentOf(Date.parse(`${sendDay}T00:00:00Z`) + hour * hourMs, known.zone);
    if (known.moments.size > 20_000) known.moments.clear();
    known.moments.set(key, at);
  }
  return at;
}

/** The day that a moment has in a time zone. */
export function dayOfMoment(at: number, zone: string): string {
  return new Date(at + offsetAt(at, knownIn(zone).zone)).toISOString().slice(0, 10);
}

interface KnownZone {
  zone: Intl.DateTimeFormat;
  moments: Map<string, number>;
}
const zones = new Map<string, KnownZone>();

function knownIn(name: string): KnownZone {
  let known = zones.get(name);
  if (!known) {
    known = { zone: clockOf(name), moments: new Map() };
    zones.set(name, known);
  }
  return known;
}

/** `local` is what clocks show, as if they were in UTC. The offsets of a day before and a day after enclose a change of clocks. */
function momentOf(local: number, zone: Intl.DateTimeFormat): number {
  const before = offsetAt(local - dayMs, zone);
  const after = offsetAt(local + dayMs, zone);
  // Clocks that go back show the hour twice, first with the offset before the change.
  if (offsetAt(local - before, zone) === before) return local - before;
  if (offsetAt(local - after, zone) === after) return local - after;
  let [earlier, later] = [local - dayMs, local + dayMs];
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (offsetAt(middle, zone) === before) earlier = middle;
    else later = middle;
  }
  return later;
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

function offsetAt(at: number, zone: Intl.DateTimeFormat): number {
  const whole = Math.floor(at / 1_000) * 1_000;
  const [, month, day, year, hour, minute, second] =
    /(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)/.exec(zone.format(whole)) ?? [];
  const shown = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return shown - whole;
}
