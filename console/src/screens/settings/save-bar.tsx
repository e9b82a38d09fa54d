import { Button } from '@mantine/core';
import type { SettingsForm } from '../../data/settings.ts';
import { Fault } from '../../parts/fault.tsx';
import { Bar } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';

interface SaveBarProps {
  form: Pick<SettingsForm, 'otherFault' | 'isDirty' | 'isSaving' | 'discard' | 'save'>;
}

/** Rises when something was changed, and stays in sight until it is saved or discarded. */
export function SaveBar({ form }: SaveBarProps) {
  const { settings, parts } = useWords();
  return (
    <>
      <Fault error={form.otherFault} />
      {form.isDirty && (
        <Bar
          label={settings.unsaved}
          actions={
            <>
              <Button onClick={form.discard}>{settings.discard}</Button>
              <Button variant="filled" loading={form.isSaving} onClick={form.save}>
                {parts.save}
              </Button>
            </>
          }
        >
          <b>{settings.unsaved}</b>
        </Bar>
      )}
    </>
  );
}
