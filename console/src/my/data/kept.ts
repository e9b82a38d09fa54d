import { useState } from 'react';
import { useHere, useIsKiosk } from './me.tsx';

/**
 * A state that survives a closed window: this browser keeps it for the person in the workspace. At a shared screen nothing
 * is kept. `empty` is removed from the browser.
 */
export function useKept<Value>(name: string, empty: Value): [Value, (value: Value) => void] {
  const { workspace } = useHere();
  const isKiosk = useIsKiosk();
  const key = `giftwire.my.${workspace.id}.${workspace.memberId}.${name}`;
  const [value, setValue] = useState<Value>(() => (isKiosk ? null : read<Value>(key)) ?? empty);
  const change = (next: Value) => {
    setValue(next);
    if (isKiosk) return;
    if (JSON.stringify(next) === JSON.stringify(empty)) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(next));
  };
  return [value, change];
}

function read<Value>(key: string): Value | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as Value | null;
  } catch {
    return null;
  }
}
