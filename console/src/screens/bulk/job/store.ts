import type { Job } from './plan.ts';

const database = 'giftwire';
const table = 'bulk jobs';

/** Jobs are kept in the browser until they are done. IndexedDB, because ten thousand gifts do not fit into localStorage. */
export async function saveJob(job: Job): Promise<void> {
  await ask('readwrite', (jobs) => jobs.put(job));
}

export async function forgetJob(id: string): Promise<void> {
  await ask('readwrite', (jobs) => jobs.delete(id));
}

/** The jobs of a workspace that were begun and not put away, the latest first. */
export async function readJobs(workspaceId: number): Promise<Job[]> {
  const all = await ask<Job[]>('readonly', (jobs) => jobs.getAll());
  return all
    .filter((job) => job.workspaceId === workspaceId)
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt));
}

async function ask<T>(mode: IDBTransactionMode, work: (jobs: IDBObjectStore) => IDBRequest): Promise<T> {
  const opened = await open();
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = opened.transaction(table, mode, { durability: 'strict' });
      const request = work(transaction.objectStore(table));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(table, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
