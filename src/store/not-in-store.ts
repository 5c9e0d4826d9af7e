/**
 * A write is about something that the store does not have. What is asked for by a caller is read first, so this is only met where a
 * process still knows what an accepted loss or a restored backup has taken away.
 */
export class NotInStore extends Error {
  readonly code = 'not-in-store';

  constructor(what: string) {
    super(`${what} is not in the store`);
    this.name = 'NotInStore';
  }
}
