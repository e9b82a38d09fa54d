import { ColorInput, Stack, TextInput } from '@mantine/core';
import { useCan } from '../../data/me.tsx';
import { type SettingsForm, useSettingsForm } from '../../data/settings.ts';
import { Fault } from '../../parts/fault.tsx';
import { Page, Section } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { SaveBar } from '../settings/save-bar.tsx';
import { BrandPreview } from './brand-preview.tsx';
import { Logo } from './logo.tsx';

const swatches = ['#8C2459', '#0F5C5C', '#27558F', '#3556A8', '#0F6650', '#A62B14', '#241720', '#F5B544'];

/** What recipients see, with an email and a page that follow every change. */
export default function Branding() {
  const { screens, settings: words } = useWords();
  const can = useCan();
  const form = useSettingsForm(() => tell(words.saved));
  return (
    <Page title={screens.branding} text={can('settings:manage') ? words.branding.text : words.readOnly}>
      <Fault error={form.loadError} retry={form.reload} />
      {!form.settings && !form.loadError && <Waiting />}
      {form.settings && (
        <div className="two">
          <div>
            <Section title={words.branding.company}>
              <Company form={form} />
            </Section>
            <Section title={words.branding.words}>
              <OwnWords form={form} />
            </Section>
          </div>
          {can('orders:write') && <BrandPreview settings={form.settings} />}
        </div>
      )}
      <SaveBar form={form} />
    </Page>
  );
}

function Company({ form: { settings, set, faultOf } }: { form: SettingsForm }) {
  const { branding } = useWords().settings;
  const isFixed = !useCan()('settings:manage');
  if (!settings) return null;
  return (
    <Stack gap={20}>
      <TextInput
        label={branding.brandName}
        description={branding.brandNameHint(settings.name)}
        value={settings.brandName ?? ''}
        maxLength={100}
        readOnly={isFixed}
        error={faultOf('brandName')}
        onChange={({ target }) => set('brandName', target.value || null)}
      />
      <ColorInput
        label={branding.colour}
        description={branding.colourHint}
        value={settings.colour ?? ''}
        placeholder="#8C2459"
        format="hex"
        withEyeDropper={false}
        swatches={swatches}
        swatchesPerRow={8}
        readOnly={isFixed}
        error={faultOf('colour')}
        onChange={(colour) => set('colour', colour === '' ? null : colour.toUpperCase())}
      />
      <Logo address={settings.logo} isFixed={isFixed} />
    </Stack>
  );
}

function OwnWords({ form: { settings, set, faultOf } }: { form: SettingsForm }) {
  const { branding } = useWords().settings;
  const isFixed = !useCan()('settings:manage');
  if (!settings) return null;
  return (
    <Stack gap={20}>
      <TextInput
        label={branding.replyTo}
        description={branding.replyToHint}
        type="email"
        value={settings.replyTo ?? ''}
        readOnly={isFixed}
        error={faultOf('replyTo')}
        onChange={({ target }) => set('replyTo', target.value || null)}
      />
      <TextInput
        label={branding.sentence}
        description={branding.sentenceHint}
        value={settings.sentence ?? ''}
        maxLength={300}
        readOnly={isFixed}
        error={faultOf('sentence')}
        onChange={({ target }) => set('sentence', target.value || null)}
      />
    </Stack>
  );
}
