import { useCallback, useEffect, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useOwner } from '../../data/me.tsx';
import { patiently } from '../../data/patiently.ts';
import { isDone, type Job, withoutControls, withoutRefusals } from './job/plan.ts';
import { runJob } from './job/run.ts';
import { forgetJob, readJobs, saveJob } from './job/store.ts';

/**
 * The file that is being sent from this browser. It is stored with the keys of its orders before the first is sent, so that a window
 * that is closed or reloaded can resume, and nothing is ordered twice.
 */
export function useJob() {
  const owner = useOwner();
  const [job, setJob] = useState<Job | null>(null);
  const [isRead, setRead] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    readJobs(owner)
      .then(([latest]) => setJob(latest ?? null), setError)
      .finally(() => setRead(true));
  }, [owner]);

  const id = job?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a running job changes with each part, and is run once
  useEffect(() => {
    if (!job || isDone(job)) return;
    const leaving = new AbortController();
    setError(null);
    runJob(job, {
      signal: leaving.signal,
      create: ({ key, order }) => {
        const options = { idempotencyKey: key, customerRequestId: referenceOf(job) };
        return patiently(() => giftwire.orders.create(order, options), leaving.signal);
      },
      save: saveJob,
      onProgress: (current) => !leaving.signal.aborted && setJob(current),
    }).catch((thrown) => !leaving.signal.aborted && setError(thrown));
    return () => leaving.abort();
  }, [id, attempt]);

  // A job that stopped without a connection resumes when there is one.
  useEffect(() => {
    if (!error) return;
    const goOn = () => setAttempt((count) => count + 1);
    addEventListener('online', goOn);
    return () => removeEventListener('online', goOn);
  }, [error]);

  return {
    job,
    isRead,
    error,
    start: useCallback(async (begun: Job) => {
      await saveJob(begun);
      setJob(begun);
    }, []),
    goOn: () => setAttempt((count) => count + 1),
    /** Sends the parts once more that the service has refused, for instance because a budget was too small. */
    async tryRefused() {
      if (!job) return;
      const again = withoutRefusals(job);
      await saveJob(again);
      setJob(again);
      setAttempt((count) => count + 1);
    },
    async putAway() {
      if (job) await forgetJob(job.id);
      setJob(null);
    },
  };
}

/** The name of the file, so that people recognize the orders. A reference has printable characters only. */
function referenceOf({ name, id }: Job): string {
  return withoutControls(name) || id;
}
