import { randomUUID } from 'node:crypto';
import { type EventRecord, type EventType, exampleData } from '../../../ground/contract/event.ts';

/** An event of a type with the data of its documentation, for trying a receiver. */
export function sampleEvent(workspaceId: number, type: EventType, now: Date): EventRecord {
  const id = `evt_${workspaceId}_test_${randomUUID()}`;
  return { id, number: 0, type, timestamp: now.toISOString(), workspaceId, data: exampleData(type) };
}
