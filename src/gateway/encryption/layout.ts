import type { Encoding, SealedLayout } from '../profile/format.js';
import type { Sealed } from './scheme.js';

/** The parts of an encrypted text, in the order in which they are written. */
interface Parts {
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag?: Buffer;
}

/** How the parts of an encrypted text are laid out in a body. */
export interface Layout {
  readonly layout: SealedLayout;
  readonly encoding: Encoding;
  /** Name of the member that holds the ciphertext. */
  readonly envelope: string;
}

/** Writes the parts as one text with colons, as one text of all bytes concatenated, or as one member each. */
export function writeParts({ iv, ciphertext, tag }: Parts, { layout, encoding, envelope }: Layout): Sealed {
  const parts = tag ? [iv, ciphertext, tag] : [iv, ciphertext];
  switch (layout) {
    case 'iv:ciphertext:tag':
      return { [envelope]: parts.map((part) => part.toString(encoding)).join(':') };
    case 'iv+ciphertext+tag':
      return { [envelope]: Buffer.concat(parts).toString(encoding) };
    case 'fields':
      return {
        [envelope]: ciphertext.toString(encoding),
        iv: iv.toString(encoding),
        ...(tag && { tag: tag.toString(encoding) }),
      };
  }
}
