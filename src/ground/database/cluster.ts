/**
 * A cluster is a PostgreSQL whose tables Citus distributes over several servers. Giftwire connects to its coordinator. Some statements are another one there:
 * a planner that sends a statement to one server takes fewer kinds of it.
 */
export const isClusterSql = `(to_regclass('pg_catalog.pg_dist_partition') is not null)`;

const clusters = new Set<string>();

/** Every new connection says whether its server is one. */
export function noteCluster(url: string, isCluster: boolean): void {
  if (isCluster) clusters.add(url);
  else clusters.delete(url);
}

export function isKnownCluster(url: string): boolean {
  return clusters.has(url);
}
