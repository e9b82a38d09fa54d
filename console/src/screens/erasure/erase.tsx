import type { ErasurePreview, Member } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { giftwire } from '../../data/client.ts';
import { Fault } from '../../parts/fault.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { nameOf } from '../../parts/name.ts';
import { Page } from '../../parts/page.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { Waiting } from '../../parts/waiting.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';
import { Actions } from './actions.tsx';
import { downloadData } from './items.tsx';
import { Obstacles, Outcome } from './outcome.tsx';
import { Progress } from './progress.tsx';

/** While it runs, the screen shows when it is done. */
const runningEveryMs = 2_000;

/** What erasing a person does, and how far it has come. */
export default function Erase() {
  const { id = '' } = useParams({ strict: false });
  const { screens, people } = useWords();
  const member = useQuery({
    queryKey: ['people', 'one', id],
    queryFn: ({ signal }) => giftwire.members.retrieve(Number(id), { signal }),
  });
  const preview = useQuery({
    queryKey: ['people', 'erasure', id],
    queryFn: ({ signal }) => giftwire.members.erasure(Number(id), { signal }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? runningEveryMs : false),
  });
  if (member.data && preview.data) return <Shown member={member.data} preview={preview.data} />;
  const error = member.error ?? preview.error;
  return (
    <Page title={screens.erase} above={<Go to="/people">{people.title}</Go>}>
      {error ? <Fault error={error} retry={() => void preview.refetch()} /> : <Waiting lines={8} />}
    </Page>
  );
}

function isMoving(preview: ErasurePreview | undefined): boolean {
  const { state, dueAt } = preview?.erasure ?? {};
  return state === 'RUNNING' || (state === 'WAITING' && dueAt !== null && Date.parse(dueAt ?? '') <= Date.now());
}

function Shown({ member, preview }: { member: Member; preview: ErasurePreview }) {
  const { erasure: words, people } = useWords();
  const formats = useFormats();
  const { submit, isBusy, error } = useSubmit(() => downloadData(member.id));
  const state = preview.erasure?.state;
  const hasBegun = state === 'RUNNING' || state === 'DONE';
  const name = nameOf(member, words.titleErased);
  return (
    <Page
      title={hasBegun ? words.titleErased : (isOpen(state) ? words.titleOpen : words.eraseTitle)(name)}
      text={textOf(preview, words, formats)}
      above={
        <>
          <Go to="/people">{people.title}</Go> / {!hasBegun && <Go to={`/people/${member.id}`}>{name}</Go>}
        </>
      }
      actions={
        !hasBegun && (
          <Button leftSection={<Icon name="download" />} loading={isBusy} onClick={submit}>
            {words.download}
          </Button>
        )
      }
    >
      <Fault error={error} />
      <Progress preview={preview} />
      {!hasBegun && (
        <>
          <Obstacles id={member.id} obstacles={preview.obstacles} />
          <Outcome preview={preview} />
          <Actions id={member.id} name={name} preview={preview} />
        </>
      )}
    </Page>
  );
}

function isOpen(state: string | undefined): boolean {
  return state === 'REQUESTED' || state === 'WAITING';
}

function textOf({ erasure }: ErasurePreview, words: Words['erasure'], { moment }: Formats): string {
  switch (erasure?.state) {
    case undefined:
      return words.text;
    case 'RUNNING':
      return words.textRunning;
    case 'DONE':
      return words.textDone(moment(erasure.doneAt ?? ''));
    case 'STOPPED':
      return words.textStopped;
    default:
      return words.textWaiting;
  }
}
