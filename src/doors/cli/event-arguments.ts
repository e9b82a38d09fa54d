import { InvalidArgumentError } from 'commander';
import { type EventType, eventTypeNames } from '../../ground/contract/event.ts';

// Apart from arguments.ts, because the schemas of events take long to load and most commands do not need them.
export function eventTypeList(text: string): EventType[] {
  const chosen = text.split(',').map((part) => part.trim());
  const unknown = chosen.filter((type) => !eventTypeNames.includes(type as EventType));
  if (unknown.length > 0) throw new InvalidArgumentError(`Types: ${eventTypeNames.join(', ')}.`);
  return [...new Set(chosen)] as EventType[];
}
