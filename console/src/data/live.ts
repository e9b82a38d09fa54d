import type { GiftwireEvent } from '@giftwire/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { giftwire } from './client.ts';
import { useCan } from './me.tsx';

/** What an event makes stale, by the first word of its type. Names are the first words of query keys. */
const concerned: Record<string, readonly string[]> = {
  order: ['orders', 'approvals', 'automations', 'gifts', 'reports', 'activities', 'people', 'budgets'],
  gift: ['gifts', 'orders', 'reports', 'people', 'budgets', 'redemptions', 'pools'],
  redemption: ['redemptions', 'gifts', 'reports'],
  pool: ['pools'],
  automation: ['automations'],
  budget: ['budgets', 'reports'],
  shoutout: ['shoutouts', 'approvals', 'activities', 'reports', 'people'],
  member: ['people', 'automations', 'reports', 'undo'],
  members: ['people', 'automations', 'reports', 'undo'],
};

const settleMs = 1_000;
/** Reports count many rows, so a flood of events has them read again only so often. */
const reportPauseMs = 5_000;

/**
 * Follows the event log while the page is in sight, and has what is on the screen read again when something happened. Many events
 * that come together cost one reading.
 */
export function useLiveEvents(): void {
  const queries = useQueryClient();
  const canFollow = useCan()('events:read');
  useEffect(() => {
    if (!canFollow) return;
    let following: AbortController | null = null;
    const stale = new Set<string>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reportsReadAt = 0;
    const refresh = () => {
      const areReportsDue = Date.now() - reportsReadAt >= reportPauseMs;
      const due = [...stale].filter((name) => name !== 'reports' || areReportsDue);
      if (due.includes('reports')) reportsReadAt = Date.now();
      for (const name of due) {
        stale.delete(name);
        void queries.invalidateQueries({ queryKey: [name] });
      }
      timer = stale.size > 0 ? setTimeout(refresh, reportPauseMs) : undefined;
    };
    const notice = ({ type }: GiftwireEvent) => {
      for (const name of concerned[type.split('.')[0] ?? ''] ?? []) stale.add(name);
      timer ??= setTimeout(refresh, settleMs);
    };
    const follow = ({ type }: { type?: string } = {}) => {
      if (document.hidden) {
        following?.abort();
        following = null;
      } else if (!following) {
        following = new AbortController();
        // What happened while the page was out of sight is not followed but read.
        if (type) void queries.invalidateQueries();
        followEvents(notice, following.signal).catch(() => {
          // Without live events the screens still work: they are read again when one comes back to them.
        });
      }
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      following?.abort();
      clearTimeout(timer);
    };
  }, [queries, canFollow]);
}

/** Where the log ends now: what is on the screen was read after that. */
async function latestNumber(signal: AbortSignal): Promise<number> {
  return (await giftwire.events.list({ size: 1 }, { signal })).latest;
}

async function followEvents(notice: (event: GiftwireEvent) => void, signal: AbortSignal): Promise<void> {
  const after = await latestNumber(signal);
  for await (const event of giftwire.events.stream({ after, signal })) notice(event);
}
