/** Reads all rows in pages, so that no question takes long. `read` is given the last row of the page before; an empty page is the end. */
export async function* paged<R>(read: (after: R | undefined) => Promise<R[]>): AsyncGenerator<R[]> {
  for (let after: R | undefined; ;) {
    const rows = await read(after);
    if (rows.length === 0) return;
    yield rows;
    after = rows.at(-1);
  }
}
