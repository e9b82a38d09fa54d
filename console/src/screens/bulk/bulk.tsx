import { Button } from '@mantine/core';
import { useState } from 'react';
import { useOwner } from '../../data/me.tsx';
import { randomId } from '../../data/random-id.ts';
import { keepCurrency } from '../../gift/terms.ts';
import { Fault } from '../../parts/fault.tsx';
import { Page } from '../../parts/page.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { useWords } from '../../words/words.tsx';
import { Columns } from './columns.tsx';
import type { GiftRow } from './file/rows.ts';
import { planParts } from './job/plan.ts';
import { Progress } from './progress.tsx';
import { Questions } from './questions.tsx';
import { rejectedCsv, useReasons } from './reasons.ts';
import { Rows } from './rows.tsx';
import { Steps } from './steps.tsx';
import { Totals } from './totals.tsx';
import { Upload } from './upload.tsx';
import { useJob } from './use-job.ts';
import { useSheet } from './use-sheet.ts';

/** Send a gift to each row of a file: upload, map and check, send. */
export default function Bulk() {
  const { bulk } = useWords();
  const owner = useOwner();
  const open = useSheet();
  const sending = useJob();
  const [error, setError] = useState<unknown>(null);
  const { sheet, verdicts } = open;
  const whyOf = useReasons(open.checked);

  const send = async (rows: readonly GiftRow[], note: string) => {
    const id = randomId();
    const left = verdicts.filter(({ is }) => is !== 'ready');
    keepCurrency(owner.workspaceId, open.shared.currency);
    await sending
      .start({
        ...owner,
        id,
        name: sheet?.name ?? '',
        startedAt: new Date().toISOString(),
        parts: planParts(id, rows, note, sheet?.name),
        left: left.length > 0 ? { rows: left.length, csv: rejectedCsv(open, left, whyOf, bulk.why) } : null,
      })
      // From here on the job is what is kept.
      .then(open.close)
      .catch(setError);
  };
  const finish = async () => {
    await sending.putAway();
    open.close();
  };

  if (!sending.isRead || !open.isRead) return <Waiting />;
  if (sending.job)
    return (
      <Page title={bulk.title} text={sending.job.name}>
        <Steps current={3} />
        <Progress
          job={sending.job}
          error={sending.error}
          onGoOn={sending.goOn}
          onTryRefused={() => void sending.tryRefused().catch(setError)}
          onFinish={finish}
        />
        <Fault error={error} />
      </Page>
    );
  if (!sheet)
    return (
      <Page title={bulk.title} text={bulk.intro}>
        <Steps current={1} />
        <Upload onFile={(file) => void open.open(file)} fault={open.fault} />
        <Fault error={sending.error} />
      </Page>
    );
  return (
    <Page
      title={bulk.title}
      text={bulk.fileOf(sheet.name, sheet.rows.length)}
      actions={
        <Button variant="subtle" color="gray" onClick={open.close}>
          {bulk.startOver}
        </Button>
      }
    >
      <Steps current={2} />
      <Columns open={open} />
      {open.questions.length > 0 ? <Questions open={open} /> : <Rows open={open} />}
      <Fault error={error} />
      <Totals open={open} onSend={send} />
    </Page>
  );
}
