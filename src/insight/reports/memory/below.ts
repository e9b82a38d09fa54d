import { noPerson, type People } from './people.ts';

const unknown = 0;
const other = 2;
const below = 1;

/** 1 at the place of each person below a manager: direct reports, the reports of these, and so on. */
export function reportsOf({ count, manager }: People, top: number): Uint8Array {
  const found = new Uint8Array(count);
  for (let place = 0; place < count; place++) {
    const path: number[] = [];
    let at = place;
    for (; at !== noPerson && found[at] === unknown; at = manager[at] as number) {
      path.push(at);
      found[at] = other;
      // Who is above the manager does not matter: the way ends here, and all of it is below.
      if (manager[at] === top) {
        found[at] = below;
        break;
      }
    }
    if (at !== noPerson && found[at] === below) for (const one of path) found[one] = below;
  }
  return found.map((one) => (one === below ? 1 : 0));
}
