import { Select, TextInput } from '@mantine/core';
import type { SettingsForm } from '../../data/settings.ts';
import { languageChoices } from '../../gift/terms.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './policies.module.css';

export function WorkspaceFields({ form: { settings, set, faultOf } }: { form: SettingsForm }) {
  const { policies } = useWords().settings;
  const { locale } = useFormats();
  if (!settings) return null;
  const zones = [...new Set([settings.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <div className={styles.pairs}>
      <TextInput
        className={styles.whole}
        label={policies.name}
        value={settings.name}
        required
        maxLength={100}
        error={faultOf('name')}
        onChange={({ target }) => set('name', target.value)}
      />
      <Select
        label={policies.language}
        description={policies.languageHint}
        data={languageChoices(settings.language, locale)}
        allowDeselect={false}
        value={settings.language}
        error={faultOf('language')}
        onChange={(value) => value && set('language', value)}
      />
      <Select
        label={policies.timeZone}
        description={policies.timeZoneHint}
        data={zones}
        limit={60}
        searchable
        allowDeselect={false}
        value={settings.timeZone}
        error={faultOf('timeZone')}
        onChange={(value) => value && set('timeZone', value)}
      />
    </div>
  );
}
