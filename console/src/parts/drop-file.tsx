import { Button } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import styles from './drop-file.module.css';
import { Icon, WireBow } from './icon.tsx';

interface DropFileProps {
  title: string;
  text: string;
  /** The button that opens the file chooser. */
  choose: string;
  onFile: (file: File) => void;
  /** What is wrong with the file before. */
  fault?: string | null;
  /** Beside the button: a template for people who have no file. */
  beside?: ReactNode;
}

/** A place to drop a file of rows, or to choose one. */
export function DropFile({ title, text, choose, onFile, fault, beside }: DropFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const [file] = files ?? [];
    if (file) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same without a mouse
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <WireBow />
      <h2>{title}</h2>
      <p className="quiet">{text}</p>
      {fault && (
        <p className={styles.fault} role="alert">
          <Icon name="warn" size={16} />
          {fault}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="filled" leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
          {choose}
        </Button>
        {beside}
      </div>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="said"
        aria-label={choose}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file once more is a change too.
          currentTarget.value = '';
        }}
      />
    </div>
  );
}
