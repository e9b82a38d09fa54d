import type { AutomationPlan } from '@giftwire/sdk';
import { Button, Menu, Textarea, TextInput, UnstyledButton } from '@mantine/core';
import { type RefObject, useRef } from 'react';
import { giftOccasionOf } from '../../../../src/ground/values/gift-occasion.ts';
import { languages, ownName, readLanguageRegion } from '../../../../src/ground/values/language.ts';
import { useHere } from '../../data/me.tsx';
import { TestMail } from '../../gift/test-mail.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import styles from './automation.module.css';
import { useCustomFields } from './custom-fields.ts';
import { readAs } from './placeholders.ts';
import type { AutomationTerms } from './terms.ts';

export type MessageLanguage = keyof AutomationTerms['messages'];
export const messageLanguages = languages.map((one) => one.toUpperCase() as MessageLanguage);

/** What speakers of a language call it: Français. */
export function languageName(language: string): string {
  const known = languages.find((one) => one.toUpperCase() === language);
  return known ? ownName(known) : language;
}

interface MessageProps {
  terms: AutomationTerms;
  plan: AutomationPlan | undefined;
  isFixed: boolean;
  language: MessageLanguage;
  onLanguage: (language: MessageLanguage) => void;
  change: (changes: Partial<AutomationTerms>) => void;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** The message in each language, and how the next person reads it. */
export function Message({ terms, plan, isFixed, language, onLanguage, change, field }: MessageProps) {
  const { automations: words } = useWords();
  const { messages, missing } = terms;
  const text = messages[language] ?? '';
  const write = (typed: string) => {
    const { [language]: _, ...others } = messages;
    change({ messages: typed === '' ? others : { ...others, [language]: typed } });
  };
  const noMessage = new Set(plan?.missed.flatMap(({ why, what }) => (why === 'NO_MESSAGE' ? [what] : [])));
  const noValue = plan?.missed.filter(({ why, what }) => why === 'NO_VALUE' && what !== null) ?? [];
  return (
    <div>
      <div role="tablist" aria-label={words.message.languages} className={styles.languages}>
        {messageLanguages.map((one) => (
          <UnstyledButton
            key={one}
            role="tab"
            aria-selected={one === language}
            className={styles.language}
            onClick={() => onLanguage(one)}
          >
            {languageName(one)}
            {noMessage.has(one) && <span className={styles.missing}> {words.message.missing}</span>}
          </UnstyledButton>
        ))}
      </div>
      <Textarea
        ref={field}
        aria-label={`${words.message.label}, ${languageName(language)}`}
        placeholder={words.message.hint}
        classNames={{ input: styles.letter }}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={1_000}
        readOnly={isFixed}
        value={text}
        onChange={({ target }) => write(target.value)}
      />
      {!isFixed && (
        <InsertField field={field} text={text} hasYears={terms.trigger.is === 'ANNIVERSARY'} onChange={write} />
      )}
      {noValue.map(({ what, people }) => (
        <TextInput
          key={what}
          mb={12}
          id={`missing-${what}`}
          label={words.message.noValue(people, what ?? '')}
          maxLength={200}
          readOnly={isFixed}
          value={missing[what ?? ''] ?? ''}
          onChange={({ target }) => {
            const { [what ?? '']: _, ...others } = missing;
            change({ missing: target.value === '' ? others : { ...others, [what ?? '']: target.value } });
          }}
        />
      ))}
      <Preview terms={terms} plan={plan} language={language} text={text} />
    </div>
  );
}

interface InsertFieldProps {
  field: RefObject<HTMLTextAreaElement | null>;
  text: string;
  hasYears: boolean;
  onChange: (text: string) => void;
}

/** The language of a message as gifts have it: with the region of the workspace if it fits. */
function regionOf(language: MessageLanguage, workspaceLanguage: string): string {
  return workspaceLanguage.startsWith(language)
    ? workspaceLanguage
    : (readLanguageRegion(language) ?? workspaceLanguage);
}

/** Puts a placeholder where the cursor is. */
function InsertField({ field, text, hasYears, onChange }: InsertFieldProps) {
  const { automations: words } = useWords();
  const at = useRef<[number, number]>([text.length, text.length]);
  const insert = (name: string) => {
    const [from, to] = at.current;
    onChange(`${text.slice(0, from)}{${name}}${text.slice(to)}`);
    field.current?.focus();
  };
  const own = useCustomFields().map(({ key, label }) => [key, label] as const);
  const usual = Object.entries(words.message.placeholders).filter(([name]) => name !== 'years' || hasYears);
  return (
    <Menu
      position="bottom-start"
      onOpen={() => {
        const { selectionStart = text.length, selectionEnd = text.length } = field.current ?? {};
        at.current = [selectionStart, selectionEnd];
      }}
    >
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-md"
          className={styles.insert}
          leftSection={<Icon name="plus" size={14} />}
        >
          {words.message.insert}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {[...usual, ...own].map(([name, label]) => (
          <Menu.Item key={name} onClick={() => insert(name)}>
            {label} <code className={styles.placeholder}>{`{${name}}`}</code>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Preview({
  terms,
  plan,
  language,
  text,
}: Pick<MessageProps, 'terms' | 'plan' | 'language'> & { text: string }) {
  const { automations: words } = useWords();
  const { momentIn, money } = useFormats();
  const { workspace } = useHere();
  const sample = plan?.samples.find((one) => one.language === language) ?? plan?.samples[0];
  if (!plan || text === '') return null;
  if (!sample) return <p className="quiet small">{words.message.noReader}</p>;
  const { firstName, lastName, amount, dueAt, timeZone, senderName, values } = sample;
  const message = readAs(text, values, terms.missing);
  const occasion = giftOccasionOf(terms.trigger);
  return (
    <figure className={styles.preview}>
      <p className="quiet small">
        {words.message.asRead(`${firstName} ${lastName}`.trim(), momentIn(dueAt, timeZone))}
      </p>
      <blockquote className="letter">{message}</blockquote>
      <figcaption className="second small">
        {amount !== null && plan.currency ? words.message.byWith(senderName, money(amount, plan.currency)) : senderName}
      </figcaption>
      {amount !== null && plan.currency && (
        <TestMail
          gift={
            message.trim() === ''
              ? null
              : {
                  ...{ message, amount, currency: plan.currency, firstName, lastName, senderName },
                  ...(occasion && { occasion }),
                  language: regionOf(language, workspace.language),
                }
          }
        />
      )}
    </figure>
  );
}
