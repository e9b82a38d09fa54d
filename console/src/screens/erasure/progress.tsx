import type { Actor, Erasure, ErasurePreview } from '@giftwire/sdk';
import { Wire, type WireStep } from '../../parts/wire.tsx';
import type { Formats } from '../../words/formats.ts';
import { useFormats, useWords, type Words } from '../../words/words.tsx';

/** From the question to the end: who asked, who agreed or until when it pauses, erased. */
export function Progress({ preview }: { preview: ErasurePreview }) {
  const { erasure: words, audit } = useWords();
  const formats = useFormats();
  const nameOf = (actor: Actor) => actor.name ?? audit.actors[actor.is];
  return <Wire turns steps={stepsOf(preview, words.steps, formats, nameOf)} />;
}

function stepsOf(
  { erasure, confirmation }: ErasurePreview,
  words: Words['erasure']['steps'],
  formats: Formats,
  nameOf: (actor: Actor) => string,
): WireStep[] {
  const open = erasure?.state === 'STOPPED' ? null : erasure;
  const begun = open?.state === 'RUNNING' || open?.state === 'DONE';
  const first: WireStep = open
    ? {
        label: words.asked,
        note: words.askedBy(nameOf(open.requestedBy), formats.day(open.requestedAt)),
        isDone: true,
      }
    : { label: words.ask, isDone: false, mark: 'PAUSE' };
  return [
    first,
    needsTwo(open, confirmation) ? second(open, words, nameOf) : pause(open, words, formats),
    {
      label: words.erased,
      note: open?.doneAt ? formats.moment(open.doneAt) : words.erasedNote,
      isDone: open?.state === 'DONE',
      ...(begun && open.state === 'RUNNING' && { mark: 'PAUSE' as const }),
    },
  ];
}

/** What holds for an erasure that was asked for, also if the workspace has changed its setting since. */
function needsTwo(open: Erasure | null, confirmation: ErasurePreview['confirmation']): boolean {
  if (!open) return confirmation === 'TWO_PEOPLE';
  return open.state === 'REQUESTED' || open.confirmedBy !== null;
}

function second(open: Erasure | null, words: Words['erasure']['steps'], nameOf: (actor: Actor) => string): WireStep {
  if (open?.confirmedBy) return { label: words.agreedBy(nameOf(open.confirmedBy)), isDone: true };
  return {
    label: words.second,
    note: words.secondNote,
    isDone: false,
    ...(open && { mark: 'PAUSE' as const }),
  };
}

function pause(open: Erasure | null, words: Words['erasure']['steps'], formats: Formats): WireStep {
  const isWaiting = open?.state === 'WAITING';
  return {
    label: words.pause,
    note: open?.dueAt ? words.pauseUntil(formats.moment(open.dueAt)) : words.pauseNote,
    isDone: open !== null && !isWaiting,
    ...(isWaiting && { mark: 'PAUSE' as const }),
  };
}
