/** The items in batches of a size. Of each item, `expand` makes those that are in the batches. */
export async function* inBatches<T>(
  items: AsyncIterable<T>,
  size: number,
  expand: (item: T) => Iterable<T> = (item) => [item],
): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items)
    for (const one of expand(item)) {
      batch.push(one);
      if (batch.length < size) continue;
      yield batch;
      batch = [];
    }
  if (batch.length > 0) yield batch;
}
