import { parsePointer, type Pointer } from '../profile/pointer.js';

/** The path that a name or pointer of a profile writes to. */
export function targetOf(nameOrPointer: string): Pointer {
  return (nameOrPointer.startsWith('/') ? parsePointer(nameOrPointer) : undefined) ?? [nameOrPointer];
}

/** Sets a value at a target and creates missing objects on the way. Existing objects are copied, never changed. */
export function writeAt(body: Record<string, unknown>, target: Pointer, value: unknown): void {
  let object = body;
  for (const step of target.slice(0, -1)) {
    const next = { ...(object[step] as Record<string, unknown> | undefined) };
    object[step] = next;
    object = next;
  }
  object[target.at(-1) ?? ''] = value;
}

const INDEX = /^(?:0|[1-9][0-9]{0,3}|-)$/;

/** The places that hold lists: those whose members are all written by index, from 0 on without a gap. */
export interface Lists {
  /** Deepest first. */
  readonly places: readonly Pointer[];
  /** Targets with an index that makes no list. */
  readonly faults: readonly Pointer[];
}

/**
 * Finds the lists among the targets of a body. An index makes a list only together with all indices before it; beside a
 * name, after a gap, or at the top of a body it would make an object with numbers for names, which nobody means.
 */
export function findLists(targets: readonly Pointer[]): Lists {
  const members = new Map<string, { place: Pointer; steps: Set<string>; targets: Pointer[] }>();
  for (const target of targets) {
    for (let depth = 0; depth < target.length; depth++) {
      const place = target.slice(0, depth);
      const key = JSON.stringify(place);
      const found = members.get(key) ?? { place, steps: new Set<string>(), targets: [] };
      found.steps.add(target[depth] ?? '');
      found.targets.push(target);
      members.set(key, found);
    }
  }
  const places: Pointer[] = [];
  const faults: Pointer[] = [];
  for (const { place, steps, targets: inside } of members.values()) {
    const indices = [...steps].filter((step) => INDEX.test(step));
    if (indices.length === 0) continue;
    // A name at the top may well be a number; only a pointer means an index.
    const isList =
      place.length > 0 && indices.length === steps.size && indices.every((step) => Number(step) < steps.size);
    if (isList) places.push(place);
    else if (place.length > 0)
      faults.push(...inside.filter((target) => INDEX.test(target[place.length] ?? '')));
  }
  return { places: places.sort((one, other) => other.length - one.length), faults };
}

/** Turns the objects at these places into lists. Members that were left out leave no gap. */
export function makeLists(body: Record<string, unknown>, places: readonly Pointer[]): void {
  for (const place of places) {
    let parent: Record<string, unknown> | undefined = body;
    for (const step of place.slice(0, -1)) {
      const next: unknown = parent[step];
      parent = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : undefined;
      if (parent === undefined) break;
    }
    const last = place.at(-1) ?? '';
    const value = parent?.[last];
    // Names that are indices are in their order in every object.
    if (parent && typeof value === 'object' && value !== null) parent[last] = Object.values(value);
  }
}
