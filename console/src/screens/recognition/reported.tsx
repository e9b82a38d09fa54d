import type { FeedCase } from '@giftwire/sdk';
import { Button, Group, SegmentedControl, Textarea } from '@mantine/core';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { Empty } from '../../parts/empty.tsx';
import { Face } from '../../parts/face.tsx';
import { Fault } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useTurning } from '../../parts/pages.tsx';
import { Foot } from '../../parts/table.tsx';
import { tell } from '../../parts/tell.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { Waiting } from '../../parts/waiting.tsx';
import { When } from '../../parts/when.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

type State = 'OPEN' | 'DECIDED';

const size = 20;

/** What employees have reported in the feed, and the log of what was decided. Who reported is never shown. */
export function Reported() {
  const { recognition: words } = useWords();
  const [state, setState] = useState<State>('OPEN');
  return (
    <>
      <SegmentedControl
        aria-label={words.reported}
        value={state}
        onChange={(chosen) => setState(chosen as State)}
        data={[
          { value: 'OPEN', label: words.reportedOpen },
          { value: 'DECIDED', label: words.reportedDecided },
        ]}
      />
      <Cases key={state} state={state} />
    </>
  );
}

function Cases({ state }: { state: State }) {
  const { recognition: words } = useWords();
  const list = useInfiniteQuery({
    queryKey: ['feed', 'cases', state],
    queryFn: ({ pageParam }) => giftwire.feed.cases({ state, size, ...(pageParam && { after: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
  const { rows, isEmpty, foot } = useTurning(list, ({ cases }) => cases, { size });
  if (list.error) return <Fault error={list.error} retry={() => void list.refetch()} />;
  if (!list.data) return <Waiting lines={6} />;
  if (isEmpty)
    return <Empty title={state === 'OPEN' ? words.noReported : words.noReportedDecided}>{words.noReportedText}</Empty>;
  return (
    <>
      <ul className="entries">
        {rows.map((one) => (
          <Case key={one.id} one={one} />
        ))}
      </ul>
      {foot && <Foot isFlush>{foot}</Foot>}
    </>
  );
}

function Case({ one }: { one: FeedCase }) {
  const { recognition: words } = useWords();
  const formats = useFormats();
  const [decision, setDecision] = useState<'hide' | 'keep' | null>(null);
  const { post, comment, reports, whys, state, decidedBy, decidedAt, note } = one;
  const author = comment?.author ?? post.sender;
  const name = [author.firstName, author.lastName].filter(Boolean).join(' ');
  return (
    <li>
      <Face name={name} />
      <div>
        <p>
          <b>{name}</b> <span className="quiet small">{comment ? words.reportedComment : words.reportedPost}</span>
        </p>
        <blockquote className="letter">{comment?.text ?? post.message}</blockquote>
        {comment && <p className="quiet small">{words.reportedOn(post.message)}</p>}
        <p className="small">
          {words.reports(reports)} · <When time={one.firstAt} />
        </p>
        {whys.filter(Boolean).map((why) => (
          <p className="second small" key={why}>
            {words.why(why)}
          </p>
        ))}
        {state !== 'OPEN' && decidedAt && (
          <p className="quiet small">
            {words.reportedStates[state](
              decidedBy ? `${decidedBy.firstName} ${decidedBy.lastName}`.trim() : '',
              formats.moment(decidedAt),
            )}
            {note && ` ${words.why(note)}`}
          </p>
        )}
        <Group gap={8} mt={8}>
          {state !== 'HIDDEN' && (
            <Button size="compact-sm" onClick={() => setDecision('hide')}>
              {words.hide}
            </Button>
          )}
          {state !== 'KEPT' && (
            <Button size="compact-sm" onClick={() => setDecision('keep')}>
              {state === 'HIDDEN' ? words.showAgain : words.keep}
            </Button>
          )}
        </Group>
        {decision && <Decide id={one.id} decision={decision} onClose={() => setDecision(null)} />}
      </div>
    </li>
  );
}

interface DecideProps {
  id: number;
  decision: 'hide' | 'keep';
  onClose: () => void;
}

function Decide({ id, decision, onClose }: DecideProps) {
  const { recognition: words } = useWords();
  const queries = useQueryClient();
  const [note, setNote] = useState('');
  const { error, isBusy, submit } = useSubmit(async () => {
    await giftwire.feed[decision](id, note.trim() || null);
    await queries.invalidateQueries({ queryKey: ['feed'] });
    tell(decision === 'hide' ? words.hidden : words.kept);
  }, onClose);
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={decision === 'hide' ? words.hideTitle : words.keepTitle}
      save={decision === 'hide' ? words.hide : words.keep}
      onSave={submit}
      isSaving={isBusy}
      fault={error}
    >
      <p>{decision === 'hide' ? words.hideText : words.keepText}</p>
      <Textarea
        label={words.caseNote}
        description={words.caseNoteHint}
        maxLength={1_000}
        autosize
        minRows={2}
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
    </FormDialog>
  );
}
