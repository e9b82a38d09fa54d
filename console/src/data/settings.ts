import { ChangedError, type Settings, type SettingsChange } from '@giftwire/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from './client.ts';
import { fieldFaults } from './field-faults.ts';
import { useBegunVersion } from './version.ts';

type Key = keyof SettingsChange;

/** The settings of the workspace as a form: what was changed is kept beside what is stored until it is saved. */
export function useSettingsForm(onSaved: () => void) {
  const queries = useQueryClient();
  const [change, setChange] = useState<SettingsChange>({});
  const { data, error, refetch } = useQuery({
    queryKey: ['settings'],
    queryFn: ({ signal }) => giftwire.settings.retrieve({ signal }),
    structuralSharing: false,
  });
  const isDirty = Object.keys(change).length > 0;
  const ifMatch = useBegunVersion(data, isDirty);
  const save = useMutation({
    mutationFn: () => giftwire.settings.update(change, { ifMatch }),
    onError: (failure) => {
      if (failure instanceof ChangedError) void refetch();
    },
    onSuccess: (saved) => {
      queries.setQueryData(['settings'], saved);
      setChange({});
      onSaved();
    },
  });
  const faults = fieldFaults(save.error, Object.keys(data ?? {}));
  return {
    stored: data,
    /** As they will be. */
    settings: data && ({ ...data, ...change } as Settings),
    loadError: error,
    reload: () => void refetch(),
    change,
    isDirty,
    set: <K extends Key>(key: K, value: Settings[K]) => {
      setChange((before) => without(data, { ...before, [key]: value }));
    },
    discard: () => {
      setChange({});
      save.reset();
    },
    save: () => save.mutate(),
    isSaving: save.isPending,
    faultOf: (key: Key) => faults.of(key),
    otherFault: faults.rest,
  };
}

export type SettingsForm = ReturnType<typeof useSettingsForm>;

/** What is as it was stored is no change. */
function without(stored: Settings | undefined, change: SettingsChange): SettingsChange {
  const entries = Object.entries(change).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(stored?.[key as Key]),
  );
  return Object.fromEntries(entries);
}
