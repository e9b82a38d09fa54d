import assert from 'node:assert/strict';
import type { EventRecord } from '../../src/ground/contract/event.ts';
import type { EventPage } from '../../src/ground/contract/event-list.ts';
import type { TestWorkspace } from './workspace.ts';

/** An event whose data a test reads. */
export type PulledEvent = Omit<EventRecord, 'data'> & { data: Record<string, unknown> };

/** Reads a workspace's log over HTTP. Each call returns the events since the one before. */
export function followEvents({ call }: Pick<TestWorkspace, 'call'>) {
  let after = 0;
  const next = async (): Promise<PulledEvent[]> => {
    const { status, body } = await call<EventPage>(`/api/v1/events?after=${after}&size=1000`);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.events.map(({ number }) => number),
      body.events.map((_, nth) => after + nth + 1),
    );
    after = body.next;
    return body.events as PulledEvent[];
  };
  /** As `member.added 17`, or `member.merged 17 into 12`. */
  const said = async (): Promise<string[]> =>
    (await next()).map(({ type, data: { id, into } }) => `${type} ${id}${into === undefined ? '' : ` into ${into}`}`);
  return { next, said };
}
