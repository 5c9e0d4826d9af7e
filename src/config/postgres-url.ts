/** Reads a `postgres://` or `postgresql://` address that names a host. Undefined for anything else. */
export function parsePostgresUrl(text: string): URL | undefined {
  if (!/^postgres(?:ql)?:\/\/\S+$/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // `postgres:///name?host=/run/postgresql` connects through a socket.
  return url.hostname || url.searchParams.has('host') ? url : undefined;
}
