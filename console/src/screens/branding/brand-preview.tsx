import type { Settings } from '@giftwire/sdk';
import { SegmentedControl } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languageRegions, languages, ownName } from '../../../../src/ground/values/language.ts';
import { giftwire } from '../../data/client.ts';
import { fieldFaults } from '../../data/field-faults.ts';
import { Fault } from '../../parts/fault.tsx';
import { Framed } from '../../parts/framed.tsx';
import { Section } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './branding.module.css';

/** Gifts in the language of the email that is shown, whichever language the console has. */
const samples: Record<Language, { message: string; firstName: string; lastName: string }> = {
  en: {
    message: 'You kept eleven people calm on a Friday night and still found time to write it all down. Thank you.',
    firstName: 'Mei',
    lastName: 'Tanaka',
  },
  fr: {
    message:
      'Un vendredi soir, vous avez aidé onze personnes à garder leur calme et trouvé le temps de tout noter. Merci.',
    firstName: 'Lucie',
    lastName: 'Gagnon',
  },
  es: {
    message:
      'Un viernes por la noche ayudó a once personas a mantener la calma y aun así encontró tiempo para anotarlo todo. Gracias.',
    firstName: 'Tomás',
    lastName: 'Rivera',
  },
};

const brandFields = ['brand.name', 'brand.colour', 'brand.replyTo', 'brand.sentence'];

/** An email and a gift page with the look that is being set, as the service writes them. */
export function BrandPreview({ settings, title }: { settings: Settings; title?: string }) {
  const { branding } = useWords().settings;
  const [form, setForm] = useState<'mail' | 'page'>('mail');
  const [language, setLanguage] = useState(firstLanguage(settings.language));
  const { brandName, colour, replyTo, sentence, name } = settings;
  const [brand] = useDebouncedValue({ name: brandName ?? name, colour, replyTo, sentence }, 300);
  const { data, error } = useQuery({
    queryKey: ['preview', brand, language],
    queryFn: ({ signal }) =>
      giftwire.gifts.preview(
        {
          ...samples[language],
          amount: 75,
          currency: 'CAD',
          language: languageRegions.find((one) => one.startsWith(language.toUpperCase())),
          brand,
        },
        { signal },
      ),
    placeholderData: (before) => before,
    retry: false,
  });
  const faults = fieldFaults(error, brandFields);
  return (
    <div className={styles.preview}>
      <Section title={title ?? branding.preview}>
        <div className={styles.tools}>
          <SegmentedControl
            value={form}
            onChange={(value) => setForm(value as 'mail' | 'page')}
            data={[
              { value: 'mail', label: branding.asMail },
              { value: 'page', label: branding.asPage },
            ]}
          />
          <SegmentedControl
            aria-label={branding.previewLanguage}
            value={language}
            onChange={(value) => setLanguage(value as Language)}
            data={languages.map((one) => ({ value: one, label: ownName(one) }))}
          />
        </div>
        {brandFields.map((field) => faults.of(field) && <Fault key={field} error={new Error(faults.of(field))} />)}
        <Fault error={faults.rest} />
        {!data && !error && <Waiting lines={8} />}
        {data && (
          <>
            <p className={`${styles.subject} small`}>
              <b>{data.from}</b> <span className="quiet">{data.subject}</span>
            </p>
            <section
              className={styles.screen}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard has to reach it
              tabIndex={0}
              aria-label={form === 'mail' ? branding.asMail : branding.asPage}
            >
              <Framed html={form === 'mail' ? data.mail : data.page} title={branding.preview} scheme="light" />
            </section>
          </>
        )}
      </Section>
    </div>
  );
}

/** The workspace's own language, if there is one of the same words. */
function firstLanguage(own: string): Language {
  return languages.find((one) => one === own.slice(0, 2).toLowerCase()) ?? 'en';
}
