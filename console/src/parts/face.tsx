import styles from './face.module.css';

interface FaceProps {
  name: string;
  size?: number;
}

const tones = ['brand', 'blue', 'green', 'amber'] as const;

/** The initials of a person. It stands beside the name, so they are drawn by the style sheet, and screen readers pass them over. */
export function Face({ name, size = 32 }: FaceProps) {
  const words = name.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '').join('');
  const sum = [...name].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span
      className={styles.face}
      data-tone={tones[sum % tones.length]}
      style={{ width: size, height: size }}
      aria-hidden="true"
      data-initials={initials.toUpperCase()}
    />
  );
}
