const database = 'giftwire';
const tables = {
  jobs: { name: 'bulk jobs', keyPath: 'id' },
  sheets: { name: 'bulk sheets', keyPath: ['workspaceId', 'userId'] },
};
const version = 3;

/**
 * Asks a table that this browser keeps. IndexedDB, because ten thousand gifts do not fit into localStorage. What is written is on the
 * disk when this returns.
 */
export async function askBrowser<T>(
  table: keyof typeof tables,
  mode: IDBTransactionMode,
  work: (rows: IDBObjectStore) => IDBRequest,
): Promise<T> {
  const opened = await open();
  const { name } = tables[table];
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = opened.transaction(name, mode, { durability: 'strict' });
      const request = work(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    opened.close();
  }
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(database, version);
    request.onupgradeneeded = () => {
      const { result } = request;
      // Before version 3, files had no owner, so these are not shown.
      for (const name of [...result.objectStoreNames]) result.deleteObjectStore(name);
      for (const { name, keyPath } of Object.values(tables)) result.createObjectStore(name, { keyPath });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
