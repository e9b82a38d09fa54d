import { Button } from '@mantine/core';
import { download } from '../../data/download.ts';
import { DropFile } from '../../parts/drop-file.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useFormats, useWords } from '../../words/words.tsx';
import type { SheetFault } from './file/read.ts';
import { writeCsv } from './file/write.ts';

interface UploadProps {
  onFile: (file: File) => void;
  fault: SheetFault | null;
}

/** A place to drop a file, and a template for people who have none. */
export function Upload({ onFile, fault }: UploadProps) {
  const { bulk } = useWords();
  const { number } = useFormats();
  const { quote, ...faults } = bulk.sheetFaults;
  return (
    <DropFile
      title={bulk.dropTitle}
      text={bulk.dropText}
      choose={bulk.choose}
      onFile={onFile}
      fault={fault && (fault.is === 'quote' ? quote(number(fault.line)) : faults[fault.is])}
      beside={
        <Button
          leftSection={<Icon name="download" />}
          onClick={() => void download(bulk.templateName, writeCsv([bulk.templateHeader, bulk.templateRow]))}
        >
          {bulk.template}
        </Button>
      }
    />
  );
}
