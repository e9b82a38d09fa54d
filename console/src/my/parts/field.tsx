import { type ReactNode, useId } from 'react';
import { Icon } from '../../parts/icon.tsx';

interface FieldProps {
  label: string;
  hint?: string;
  /** What is wrong with the value. */
  fault?: string | null | undefined;
  children: (control: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }) => ReactNode;
}

/** A control with its label above it, and below it what to enter, or what is wrong. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId();
  const described = fault ? `${id}-fault` : hint ? `${id}-hint` : undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(fault), 'aria-describedby': described })}
      {fault ? (
        <p className="fault" id={`${id}-fault`}>
          <Icon name="warn" />
          {fault}
        </p>
      ) : (
        hint && (
          <p className="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )
      )}
    </div>
  );
}

interface ChoiceProps {
  value: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string) => void;
}

export function Choice({ value, options, onChange, ...control }: ChoiceProps & { id?: string }) {
  return (
    <span className="choice">
      <select className="input" value={value} onChange={({ target }) => onChange(target.value)} {...control}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

interface SwitchProps {
  label: string;
  text?: string | undefined;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
}

/** A line of a card that is on or off. It changes at once. */
export function Switch({ label, text, isOn, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="line">
      <span>
        <span id={id}>{label}</span>
        {text && (
          <span className="small" id={`${id}-text`}>
            {text}
          </span>
        )}
      </span>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-labelledby={id}
        aria-describedby={text ? `${id}-text` : undefined}
        onClick={() => onChange(!isOn)}
      />
    </div>
  );
}
