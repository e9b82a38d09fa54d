import { isObject } from '../../../ground/values/differences.ts';
import { shortened } from '../../../ground/values/text.ts';
import { endOfString } from './json-scan.ts';

const longestShown = 60;

/** How many keys all objects in a parsed value have together. If the text had more, one of them was repeated. */
export function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) for (const item of value) count += countKeys(item);
  else if (isObject(value)) for (const key in value) count += 1 + countKeys(value[key]);
  return count;
}

interface Level {
  /** The keys of the object so far; null in an array. */
  keys: Set<string> | null;
  step: string;
  index: number;
}

/** The path of the first key that its object already has, such as `items[2].amount`. The text must be valid JSON. */
export function findRepeatedKey(json: Buffer): string | null {
  const levels: Level[] = [];
  let isKeyNext = false;
  for (let at = 0; at < json.length; at++) {
    const level = levels.at(-1);
    switch (json[at]) {
      case 0x22: {
        const end = endOfString(json, at + 1);
        if (isKeyNext && level?.keys) {
          const key = JSON.parse(json.toString('utf8', at, end)) as string;
          level.step = shortened(key, longestShown);
          if (level.keys.has(key)) return pathOf(levels);
          level.keys.add(key);
        }
        isKeyNext = false;
        at = end - 1;
        break;
      }
      case 0x7b: // {
        levels.push({ keys: new Set(), step: '', index: 0 });
        isKeyNext = true;
        break;
      case 0x5b: // [
        levels.push({ keys: null, step: '', index: 0 });
        break;
      case 0x5d: // ]
      case 0x7d: // }
        levels.pop();
        break;
      case 0x2c: // ,
        isKeyNext = level?.keys != null;
        if (level) level.index++;
        break;
    }
  }
  return null;
}

function pathOf(levels: readonly Level[]): string {
  const path = levels.map(({ keys, step, index }) => (keys ? `.${step}` : `[${index}]`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
}
