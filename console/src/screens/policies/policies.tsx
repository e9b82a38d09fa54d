import type { ReactNode } from 'react';
import { useCan } from '../../data/me.tsx';
import { useSettingsForm } from '../../data/settings.ts';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { SaveBar } from '../settings/save-bar.tsx';
import { GiftFields } from './gift-fields.tsx';
import { PeopleFields } from './people-fields.tsx';
import styles from './policies.module.css';
import { WorkspaceFields } from './workspace-fields.tsx';

/** How the workspace works: its name and time zone, its gifts, its people. */
export default function Policies() {
  const { screens, settings: words } = useWords();
  const canChange = useCan()('settings:manage');
  const form = useSettingsForm(() => tell(words.savedPolicies));
  return (
    <Page title={screens.policies} text={canChange ? words.policies.text : words.readOnly}>
      <Fault error={form.loadError} retry={form.reload} />
      {!form.settings && !form.loadError && <Waiting />}
      {form.settings && (
        <fieldset className={styles.fields} disabled={!canChange}>
          <Part title={words.policies.workspace} text={words.policies.workspaceText}>
            <WorkspaceFields form={form} />
          </Part>
          <Part title={words.policies.gifts} text={words.policies.giftsText}>
            <GiftFields form={form} />
          </Part>
          <Part title={words.policies.people} text={words.policies.peopleText}>
            <PeopleFields form={form} />
          </Part>
        </fieldset>
      )}
      <SaveBar form={form} />
    </Page>
  );
}

/** Rules that belong together, and beside them what they are about. */
function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className={styles.part} aria-label={title}>
      <div>
        <h2>{title}</h2>
        <p className="quiet">{text}</p>
      </div>
      <div>{children}</div>
    </section>
  );
}
