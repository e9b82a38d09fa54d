import type { MemberRights } from '@giftwire/sdk';
import { Button, Menu, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/page.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const longestReason = 500;

/** What can be decided about the data of a person: a legal hold, and that they are kept out of reports about individuals. */
export type Decision = 'hold' | 'keptOut';

const decisions = ['hold', 'keptOut'] as const;

const calls = {
  hold: {
    place: (id: number, reason: string) => giftwire.members.placeHold(id, { reason }),
    release: (id: number) => giftwire.members.releaseHold(id),
    shown: ({ hold }: MemberRights) => hold && { reason: hold.reason, at: hold.placedAt, by: hold.placedBy.name },
  },
  keptOut: {
    place: (id: number, reason: string) => giftwire.members.restrict(id, { reason }),
    release: (id: number) => giftwire.members.liftRestriction(id),
    shown: ({ keptOut }: MemberRights) =>
      keptOut && { reason: keptOut.reason, at: keptOut.decidedAt, by: keptOut.decidedBy.name },
  },
} as const;

/** Nothing for users who may not erase people. */
function useRights(id: number): MemberRights | undefined {
  const isAllowed = useCan()('people:erase');
  return useQuery({
    queryKey: ['people', 'rights', id],
    queryFn: ({ signal }) => giftwire.members.rights(id, { signal }),
    enabled: isAllowed,
  }).data;
}

interface DecisionProps {
  id: number;
  name: string;
}

/** What is decided: why, who, since when. Shows nothing without a decision. */
export function Decisions(props: DecisionProps) {
  const rights = useRights(props.id);
  if (!rights) return null;
  return decisions.map((kind) => <Notice key={kind} kind={kind} rights={rights} {...props} />);
}

function Notice({ kind, rights, id, name }: DecisionProps & { kind: Decision; rights: MemberRights }) {
  const words = useWords()[kind];
  const formats = useFormats();
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const shown = calls[kind].shown(rights);
  if (!shown) return null;
  const release = async () => {
    await calls[kind].release(id);
    await queries.invalidateQueries({ queryKey: ['people'] });
    tell(words.released);
  };
  return (
    <Section
      title={words.title}
      beside={
        <Button size="compact-sm" onClick={() => setAsking(true)}>
          {words.release}
        </Button>
      }
    >
      <p>{shown.reason ?? words.noReason}</p>
      <p className="quiet small">{words.since(formats.day(shown.at), shown.by)}</p>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={words.releaseTitle(name)}
        act={words.release}
        onAct={release}
        isDangerous={false}
      >
        {words.releaseText}
      </Confirm>
    </Section>
  );
}

/** In the menu of a person. */
export function DecisionItems({ id, onChoose }: { id: number; onChoose: (kind: Decision) => void }) {
  const words = useWords();
  const rights = useRights(id);
  if (!rights) return null;
  return decisions
    .filter((kind) => !calls[kind].shown(rights))
    .map((kind) => (
      <Menu.Item key={kind} onClick={() => onChoose(kind)}>
        {words[kind].place}
      </Menu.Item>
    ));
}

interface DialogProps extends DecisionProps {
  dialog: string | null;
  onClose: () => void;
}

export function DecisionDialogs({ dialog, ...props }: DialogProps) {
  return decisions.map((kind) => <DecisionDialog key={kind} kind={kind} isOpen={dialog === kind} {...props} />);
}

interface DecisionDialogProps extends DecisionProps {
  kind: Decision;
  isOpen: boolean;
  onClose: () => void;
}

function DecisionDialog({ kind, id, name, isOpen, onClose }: DecisionDialogProps) {
  const words = useWords()[kind];
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const place = async () => {
    await calls[kind].place(id, reason);
    await queries.invalidateQueries({ queryKey: ['people'] });
    setReason('');
    tell(words.placed);
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={words.placeTitle(name)}
      act={words.place}
      onAct={place}
      isDangerous={false}
    >
      <p>{words.placeText}</p>
      <Textarea
        mt={16}
        label={words.reason}
        description={words.reasonHint}
        value={reason}
        maxLength={longestReason}
        onChange={({ target }) => setReason(target.value)}
        required
        autosize
        minRows={2}
      />
    </Confirm>
  );
}
