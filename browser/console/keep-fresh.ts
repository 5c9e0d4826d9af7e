/**
 * Calls `refresh` every `seconds`, and at once when the tab is looked at again. A tab that nobody sees asks nothing, and no
 * call begins before the one before it has ended.
 */
export function keepFresh(seconds: number, refresh: () => Promise<void>, closed: AbortSignal): void {
  let isUnderWay = false;
  const run = (): void => {
    if (document.hidden || isUnderWay || closed.aborted) return;
    isUnderWay = true;
    void refresh()
      .catch(() => undefined)
      .finally(() => (isUnderWay = false));
  };
  const timer = setInterval(run, seconds * 1_000);
  document.addEventListener('visibilitychange', run, { signal: closed });
  closed.addEventListener('abort', () => clearInterval(timer));
}
