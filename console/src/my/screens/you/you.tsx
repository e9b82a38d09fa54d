import type { PreferencesChange, Preferences as Stored } from '@giftwire/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Language, languages, ownName } from '../../../../../src/ground/values/language.ts';
import { download } from '../../../data/download.ts';
import { signOut } from '../../../data/session.ts';
import { Face } from '../../../parts/face.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { baseOf, giftwire } from '../../data/client.ts';
import { useHere, useIsKiosk } from '../../data/me.tsx';
import { Fault } from '../../parts/fault.tsx';
import { Choice, Field, Switch } from '../../parts/field.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { leaveKiosk } from '../../shell/kiosk-end.ts';
import { Link } from '../../shell/place.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useLanguage, useWords } from '../../words/words.tsx';

/** The person's own page: what others see, which emails come, and the way out. Every switch changes at once. */
export function You() {
  const { you: words, frame } = useWords();
  const isKiosk = useIsKiosk();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['preferences'],
    queryFn: () => giftwire.me.preferences(),
  });
  return (
    <Screen title={words.title} at="you">
      <h1 className="said">{words.title}</h1>
      <Fault error={error} retry={() => void refetch()} />
      {isPending && <Waiting />}
      {data && <Preferences preferences={data} />}
      {!isKiosk && <Data />}
      <Workspaces />
      <p className="block">
        <button type="button" className="link" onClick={() => void (isKiosk ? leaveKiosk() : signOut('/my'))}>
          {frame.signOut}
        </button>
      </p>
    </Screen>
  );
}

function Preferences({ preferences }: { preferences: Stored }) {
  const { you: words } = useWords();
  const queries = useQueryClient();
  const { mutate, error, variables, isPending } = useMutation({
    mutationFn: (change: PreferencesChange) => giftwire.me.updatePreferences(change),
    onSuccess: (now) => queries.setQueryData(['preferences'], now),
  });
  // What was chosen shows at once, and goes back if the service does not take it.
  const now = isPending ? { ...preferences, ...variables } : preferences;
  return (
    <>
      <Who preferences={now} />
      <Fault error={error} not={words.notSaved} />
      <Link className="card line block" to="/shoutouts">
        <span>
          {words.shoutouts}
          <span className="small">{words.shoutoutsText}</span>
        </span>
        <Icon name="next" size={15} />
      </Link>
      <section className="block">
        <h2>{words.preferences}</h2>
        <div className="card">
          {now.mayChangeName && <NameField name={now.preferredName ?? ''} onChange={mutate} />}
          <LanguageLine language={now.language} onChange={mutate} />
          <ZoneLine zone={now.timeZone} onChange={mutate} />
          {now.email !== null && (
            <Switch
              label={words.digest}
              text={words.digestText}
              isOn={now.digest}
              onChange={(digest) => mutate({ digest })}
            />
          )}
          {now.hasManagerDigest && (
            <Switch
              label={words.managerDigest}
              text={words.managerDigestText}
              isOn={now.managerDigest}
              onChange={(managerDigest) => mutate({ managerDigest })}
            />
          )}
        </div>
      </section>
      <section className="block">
        <h2>{words.seen}</h2>
        <div className="card">
          {now.hasBirthday && (
            <Switch
              label={words.birthday}
              text={words.birthdayText}
              isOn={now.showsBirthday}
              onChange={(showsBirthday) => mutate({ showsBirthday })}
            />
          )}
          {now.hasHireDate && (
            <Switch
              label={words.anniversary}
              isOn={now.showsAnniversary}
              onChange={(showsAnniversary) => mutate({ showsAnniversary })}
            />
          )}
          <Switch
            label={words.keptOut}
            text={words.keptOutText}
            isOn={now.keptOut}
            onChange={(keptOut) => mutate({ keptOut })}
          />
        </div>
      </section>
    </>
  );
}

function Who({ preferences }: { preferences: Stored }) {
  const { you: words } = useWords();
  const { name, department, location, employeeNumber } = preferences;
  const about = [
    [department, location].filter(Boolean).join(', '),
    employeeNumber && words.number(employeeNumber),
  ].filter(Boolean);
  return (
    <div className="me">
      <Face name={name} size={48} />
      <div>
        <b>{name}</b>
        <p className="small quiet">{about.join(' · ')}</p>
      </div>
    </div>
  );
}

type Change = (change: PreferencesChange) => void;

function NameField({ name, onChange }: { name: string; onChange: Change }) {
  const { you: words } = useWords();
  const [typed, setTyped] = useState(name);
  return (
    <div className="lines">
      <Field label={words.preferredName} hint={words.preferredNameHint}>
        {(control) => (
          <input
            {...control}
            className="input"
            maxLength={100}
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => typed.trim() !== name && onChange({ preferredName: typed.trim() || null })}
          />
        )}
      </Field>
    </div>
  );
}

/** The language of this page and of emails. The region of the language that was there stays. */
function LanguageLine({ language, onChange }: { language: string | null; onChange: Change }) {
  const { you: words } = useWords();
  const { language: spoken, speak } = useLanguage();
  const { workspace } = useHere();
  const [, region = 'US'] = (language ?? workspace.language).split('_');
  return (
    <div className="line">
      <label htmlFor="language">{words.language}</label>
      <Choice
        id="language"
        value={spoken}
        options={languages.map((code) => ({ value: code, label: ownName(code) }))}
        onChange={(code) => {
          speak(code as Language);
          onChange({ language: `${code.toUpperCase()}_${region}` });
        }}
      />
    </div>
  );
}

function ZoneLine({ zone, onChange }: { zone: string | null; onChange: Change }) {
  const { you: words } = useWords();
  const { workspace } = useHere();
  const zones = Intl.supportedValuesOf('timeZone');
  const known = zone === null || zones.includes(zone) ? zones : [zone, ...zones];
  return (
    <div className="line">
      <label htmlFor="zone">{words.timeZone}</label>
      <Choice
        id="zone"
        value={zone ?? ''}
        options={[
          { value: '', label: `${words.companyZone} (${cityOf(workspace.timeZone)})` },
          ...known.map((name) => ({ value: name, label: name.replaceAll('_', ' ') })),
        ]}
        onChange={(name) => onChange({ timeZone: name || null })}
      />
    </div>
  );
}

function cityOf(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}

/** Everything about the person as a file. It never comes to a shared screen. */
function Data() {
  const { you: words } = useWords();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => download('my-data.zip', await giftwire.me.data()),
  });
  return (
    <section className="block">
      <h2>{words.data}</h2>
      <button type="button" className="card line" disabled={isPending} onClick={() => mutate()}>
        <span>
          {words.download}
          <span className="small">{words.downloadText}</span>
        </span>
        <Icon name="download" size={18} />
      </button>
      <Fault error={error} not={words.notDownloaded} />
    </section>
  );
}

/** The other workspaces that the person is in. */
function Workspaces() {
  const { you: words } = useWords();
  const { me, workspace } = useHere();
  if (me.workspaces.length < 2) return null;
  return (
    <section className="block">
      <h2>{words.workspaces}</h2>
      <div className="card">
        {me.workspaces.map(({ id, name }) =>
          id === workspace.id ? (
            <div className="line" key={id} aria-current="true">
              <b>{name}</b>
              <span className="small quiet">{words.here}</span>
            </div>
          ) : (
            <a className="line" key={id} href={baseOf(id)}>
              <span>{name}</span>
              <Icon name="next" size={15} />
            </a>
          ),
        )}
      </div>
    </section>
  );
}
