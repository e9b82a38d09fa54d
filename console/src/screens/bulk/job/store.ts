import { askBrowser } from '../../../data/browser-store.ts';
import type { Owner } from '../../../data/owner.ts';
import type { Job } from './plan.ts';

/** Jobs are kept in the browser until they are done. */
export async function saveJob(job: Job): Promise<void> {
  await askBrowser('jobs', 'readwrite', (jobs) => jobs.put(job));
}

export async function forgetJob(id: string): Promise<void> {
  await askBrowser('jobs', 'readwrite', (jobs) => jobs.delete(id));
}

/** The jobs that a user has begun in a workspace and not removed, latest first. */
export async function readJobs({ workspaceId, userId }: Owner): Promise<Job[]> {
  const all = await askBrowser<Job[]>('jobs', 'readonly', (jobs) => jobs.getAll());
  return all
    .filter((job) => job.workspaceId === workspaceId && job.userId === userId)
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt));
}
