import { Stack } from '@mantine/core';
import { useCan } from '../../data/me.tsx';
import { CopyField } from '../../parts/copy-field.tsx';
import { GoButton } from '../../parts/link.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './scim.module.css';

/** How an identity provider is connected: the values to paste there, and what comes next. */
export default function Scim() {
  const { screens, integrations } = useWords();
  const { scim } = integrations;
  const can = useCan();
  return (
    <Page title={screens.scim} text={scim.text}>
      <div className="two">
        <Section title={scim.paste} beside={scim.pasteHint}>
          <Stack gap={24}>
            <CopyField label={scim.url} value={`${location.origin}/scim/v2`} />
            <div>
              <b>{scim.token}</b>
              <p className="second">{scim.tokenText}</p>
              {can('tokens:manage') ? (
                <GoButton to="/integrations/tokens" search={{ for: 'directory' } as never} mt={12}>
                  {scim.makeToken}
                </GoButton>
              ) : (
                <p className="quiet">{scim.noTokens}</p>
              )}
            </div>
          </Stack>
        </Section>
        <Section title={scim.steps}>
          <ol className={styles.steps}>
            <li>{scim.step1}</li>
            <li>{scim.step2}</li>
            <li>
              {scim.step3} <span className="quiet">{scim.leavers}</span>
            </li>
          </ol>
          <p className={styles.links}>
            {can('directory:read') && <GoButton to="/people">{scim.seePeople}</GoButton>}
            <a href="/docs/guide/people">{scim.docs}</a>
          </p>
        </Section>
      </div>
    </Page>
  );
}
