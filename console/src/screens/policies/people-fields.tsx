import { Switch } from '@mantine/core';
import type { SettingsForm } from '../../data/settings.ts';
import { useWords } from '../../words/words.tsx';
import styles from './policies.module.css';

const switches = [
  'asksForApproval',
  'allowsSelfRecognition',
  'acceptsLeavers',
  'refusesUnknownEmployeeNumbers',
  'erasureNeedsTwo',
] as const;

export function PeopleFields({ form: { settings, set } }: { form: SettingsForm }) {
  const { policies } = useWords().settings;
  if (!settings) return null;
  return (
    <div className="box">
      {switches.map((key) => (
        <div key={key} className={styles.row}>
          <Switch
            label={policies[key]}
            description={policies[`${key}Hint`]}
            checked={settings[key]}
            onChange={({ target }) => set(key, target.checked)}
          />
        </div>
      ))}
    </div>
  );
}
