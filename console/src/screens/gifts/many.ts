import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

export interface Outcome<Item> {
  done: number;
  total: number;
  faults: { item: Item; error: unknown }[];
  isOver: boolean;
}

const atOnce = 4;

/** Does the same to many things, a few at a time, and says how far it came. What goes wrong with one does not stop the others. */
export function useMany<Item>(stale: readonly string[]) {
  const queries = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome<Item> | null>(null);
  async function run(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<Outcome<Item>> {
    const waiting = [...items];
    const state: Outcome<Item> = { done: 0, total: items.length, faults: [], isOver: false };
    const show = () => setOutcome({ ...state, faults: [...state.faults] });
    show();
    const worker = async () => {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
        await work(item).catch((error) => state.faults.push({ item: item as Item, error }));
        state.done++;
        show();
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
    state.isOver = true;
    show();
    for (const name of stale) void queries.invalidateQueries({ queryKey: [name] });
    return state;
  }
  return { outcome, run, clear: () => setOutcome(null) };
}
