/** Loaded into each measured process: tells the bench what the process has used so far, when asked. */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage.rss() / 1024 / 1024 });
});
// Being asked about must not keep a process alive.
process.channel?.unref();
