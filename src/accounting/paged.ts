/** Reads all rows in pages, so that no question takes long. `read` is given the last row of the page before. */
export async function* paged<R>(
  size: number,
  read: (after: R | undefined) => Promise<R[]>,
): AsyncGenerator<R[]> {
  for (let after: R | undefined; ;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    after = rows.at(-1);
  }
}
