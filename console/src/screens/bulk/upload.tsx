import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { download } from '../../data/download.ts';
import { Icon, WireBow } from '../../parts/icon.tsx';
import { useWords } from '../../words/words.tsx';
import styles from './bulk.module.css';
import type { SheetFault } from './file/read.ts';
import { writeCsv } from './file/write.ts';

interface UploadProps {
  onFile: (file: File) => void;
  fault: SheetFault | null;
}

/** A place to drop a file, and a template for people who have none. */
export function Upload({ onFile, fault }: UploadProps) {
  const { bulk } = useWords();
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
      <h2>{bulk.dropTitle}</h2>
      <p className="quiet">{bulk.dropText}</p>
      {fault && (
        <p className={styles.why} role="alert">
          <Icon name="warn" size={16} />
          {bulk.sheetFaults[fault]}
        </p>
      )}
      <div className={styles.dropActions}>
        <Button variant="filled" leftSection={<Icon name="upload" />} onClick={() => input.current?.click()}>
          {bulk.choose}
        </Button>
        <Button
          leftSection={<Icon name="download" />}
          onClick={() => void download(bulk.templateName, writeCsv([bulk.templateHeader, bulk.templateRow]))}
        >
          {bulk.template}
        </Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        className="said"
        aria-label={bulk.choose}
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
