/** The tables that a statement writes, or none where it only reads. */
export function tablesWritten(sql: string): string[] {
  const words =
    /\b(?:insert\s+into|update|delete\s+from|create\s+table(?:\s+if\s+not\s+exists)?)\s+"?([a-z_]+)"?(?!\s+of\b)/gi;
  const found = sql.matchAll(words);
  const tables = [...found].map(([, table = '']) => table.toLowerCase());
  // `on conflict … do update set` and `for update of` name no table.
  return [...new Set(tables)].filter((table) => !['set', 'of', 'skip', 'nowait'].includes(table)).sort();
}

/** What a boundary of the store is called: the tables that become durable there. */
export function storeBoundary(tables: Iterable<string>): string {
  return `store ${[...new Set(tables)].sort().join('+') || 'nothing'}`;
}
