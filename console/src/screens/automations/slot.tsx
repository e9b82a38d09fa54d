import { Button, Popover, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './slot.module.css';

interface SlotProps {
  /** What the small field is called. */
  label: string;
  /** The words that stand in the sentence. */
  text: string;
  /** Without the right to change, the words stand there as they are. */
  isFixed: boolean;
  isMissing?: boolean;
  /** The field; a choice closes it. */
  children: (close: () => void) => ReactNode;
}

/** Tinted words in a sentence: what can be changed. They open a small field. */
export function Slot({ label, text, isFixed, isMissing = false, children }: SlotProps) {
  const { parts } = useWords();
  const [isOpen, setOpen] = useState(false);
  if (isFixed) return <b>{text}</b>;
  // The arrow stays with it.
  const lastWord = text.lastIndexOf(' ') + 1;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <UnstyledButton
          className={styles.slot}
          data-missing={isMissing || undefined}
          aria-label={`${label}${parts.colon}${text}`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {text.slice(0, lastWord)}
          <span className={styles.end}>
            {text.slice(lastWord)}
            <Icon name="down" size={13} />
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label} className={styles.field}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  );
}

/** A small field in which one types. Enter and the button close it; what was typed counts at once. */
export function TypedField({ onDone, children }: { onDone: () => void; children: ReactNode }) {
  const { automations: words } = useWords();
  return (
    <form
      className={styles.typed}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onDone();
      }}
    >
      {children}
      <Button type="submit" variant="filled" size="compact-md">
        {words.done}
      </Button>
    </form>
  );
}

interface ChoiceSlotProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  isFixed: boolean;
  onChange: (value: Value) => void;
  /** What the sentence says, where it is shorter than the options. */
  text?: string;
}

/** Tinted words that open a list of a few choices. */
export function ChoiceSlot<Value extends string>({
  label,
  value,
  options,
  isFixed,
  onChange,
  text,
}: ChoiceSlotProps<Value>) {
  return (
    <Slot label={label} text={text ?? options[value]} isFixed={isFixed}>
      {(close) => (
        <Choices
          label={label}
          value={value}
          options={options}
          onChange={(chosen) => {
            onChange(chosen);
            close();
          }}
        />
      )}
    </Slot>
  );
}

/** A few choices under each other. */
export function Choices<Value extends string>({
  label,
  value,
  options,
  onChange,
}: Pick<ChoiceSlotProps<Value>, 'label' | 'value' | 'options' | 'onChange'>) {
  return (
    <div role="radiogroup" aria-label={label} className={styles.choices}>
      {(Object.keys(options) as Value[]).map((one) => (
        <UnstyledButton
          key={one}
          role="radio"
          aria-checked={one === value}
          className={styles.choice}
          onClick={() => onChange(one)}
        >
          <span className={styles.tick}>{one === value && <Icon name="ok" size={16} />}</span>
          {options[one]}
        </UnstyledButton>
      ))}
    </div>
  );
}
