import { mergeMeanings } from '../answers/outcome-reader.js';
import { defaultProfile } from './default-profile.js';
import type { OperationProfile, Profile, SettlementProfile } from './format.js';

/** What a profile file may hold: any part of a profile. */
export type ProfileFile = {
  readonly [K in keyof Profile]?: K extends 'operations'
    ? Readonly<Record<string, Partial<OperationProfile> | null>>
    : Profile[K] extends readonly unknown[]
      ? Profile[K]
      : Partial<Profile[K]>;
};

/** Merges a file over the built-in profile, part by part. */
export function mergeProfile(file: ProfileFile): Profile {
  const base = defaultProfile;
  const operations: Record<string, OperationProfile | null> = { ...base.operations };
  for (const [key, over] of Object.entries(file.operations ?? {})) {
    operations[key] = over === null ? null : mergeOperation(operations[key] ?? undefined, over);
  }
  const { meanings = {}, ...outcome } = file.outcome ?? {};
  return {
    operations,
    extra: { ...base.extra, ...file.extra } as Profile['extra'],
    credentials: { ...base.credentials, ...file.credentials } as Profile['credentials'],
    ...(file.token && { token: file.token as NonNullable<Profile['token']> }),
    reference: { ...base.reference, ...file.reference },
    card: { ...base.card, ...file.card },
    ussdBanks: { ...base.ussdBanks, ...file.ussdBanks },
    encryption: { ...base.encryption, ...file.encryption },
    outcome: { ...base.outcome, ...outcome, meanings: mergeMeanings(base.outcome.meanings, meanings) },
    notification: {
      ...base.notification,
      ...file.notification,
      signature: { ...base.notification.signature, ...file.notification?.signature },
    },
    settlement: file.settlement === null ? null : mergeSettlement(base.settlement, file.settlement ?? {}),
    confirmed: file.confirmed ?? base.confirmed,
  };
}

/** The columns belong together: a file's replace the built-in ones, and the words of a status go with its column. */
function mergeSettlement(
  base: Profile['settlement'],
  file: Partial<SettlementProfile>,
): Profile['settlement'] {
  if (!base) return base;
  const { statuses, ...usual } = base;
  const own = file.columns ?? base.columns;
  return {
    ...usual,
    ...(own.status !== undefined && statuses && { statuses }),
    ...file,
    types: { ...base.types, ...file.types },
  };
}

/** An operation's own outcome is replaced as a whole, because its parts belong together. */
function mergeOperation(
  base: OperationProfile | undefined,
  over: Partial<OperationProfile>,
): OperationProfile {
  return {
    ...base,
    ...over,
    ...(over.headers && { headers: { ...base?.headers, ...over.headers } }),
    ...(over.rename && { rename: { ...base?.rename, ...over.rename } }),
    ...(over.constants && { constants: { ...base?.constants, ...over.constants } }),
  } as OperationProfile;
}
