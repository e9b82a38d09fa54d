import type { Member } from '@giftwire/sdk';
import { ActionIcon, Menu, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useToday } from '../../data/me.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { nameOf } from '../../parts/name.ts';
import { type Chosen, PersonField } from '../../parts/person-field.tsx';
import { tell } from '../../parts/tell.tsx';
import { useTellUndoable } from '../../parts/use-tell-undoable.ts';
import { useFormats, useWords } from '../../words/words.tsx';
import { RightsItems } from '../erasure/items.tsx';
import { type Decision, DecisionDialogs, DecisionItems } from './decisions.tsx';
import { type KioskDialog, KioskDialogs, KioskItems } from './kiosk-code.tsx';

interface MenuProps {
  member: Member;
  onSaved: (member: Member) => void;
}

/** What is done to a person seldom: leave, return, merge. */
export function PersonMenu({ member, onSaved }: MenuProps) {
  const { people: words } = useWords();
  const can = useCan();
  const [dialog, setDialog] = useState<'leave' | 'merge' | Decision | KioskDialog | null>(null);
  const name = nameOf(member);
  const comeBack = async () => {
    onSaved(await giftwire.members.return(member.id));
    tell(words.hasReturned(name));
  };
  const stay = async () => {
    onSaved(await giftwire.members.update(member.id, { leavesOn: null }));
    tell(words.saved(name));
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={words.actions}>
            <Icon name="dots" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {member.active && <Menu.Item onClick={() => setDialog('leave')}>{words.leave}</Menu.Item>}
          {member.leavesOn && <Menu.Item onClick={() => void stay()}>{words.withdrawLeaving}</Menu.Item>}
          {!member.active && <Menu.Item onClick={() => void comeBack()}>{words.return}</Menu.Item>}
          <Menu.Item onClick={() => setDialog('merge')}>{words.merge}</Menu.Item>
          {member.active && member.employeeNumber && <KioskItems onChoose={setDialog} />}
          {can('people:erase') && <RightsItems id={member.id} />}
          {can('people:erase') && <DecisionItems id={member.id} onChoose={setDialog} />}
        </Menu.Dropdown>
      </Menu>
      <LeaveDialog member={member} isOpen={dialog === 'leave'} onClose={() => setDialog(null)} onSaved={onSaved} />
      <MergeDialog member={member} isOpen={dialog === 'merge'} onClose={() => setDialog(null)} onSaved={onSaved} />
      <DecisionDialogs id={member.id} name={name} dialog={dialog} onClose={() => setDialog(null)} />
      <KioskDialogs member={member} dialog={dialog} onClose={() => setDialog(null)} />
    </>
  );
}

interface DialogProps extends MenuProps {
  isOpen: boolean;
  onClose: () => void;
}

/** It can be undone: the person returns. */
function LeaveDialog({ member, isOpen, onClose, onSaved }: DialogProps) {
  const { people: words, parts } = useWords();
  const formats = useFormats();
  const today = useToday();
  const [leftOn, setLeftOn] = useState<string | null>(member.leavesOn ?? today);
  const name = nameOf(member);
  const leave = async () => {
    if (leftOn === null) throw new Error(parts.noDay(formats.day(today)));
    onSaved(await giftwire.members.leave(member.id, { leftOn }));
    const undo = () => void giftwire.members.return(member.id).then(onSaved);
    const done = leftOn > today ? words.willLeave(name, formats.day(leftOn)) : words.hasLeft(name);
    tell(done, { label: parts.undo, run: undo });
  };
  return (
    <Confirm
      isOpen={isOpen}
      onClose={onClose}
      title={words.leaveTitle(name)}
      act={words.leave}
      onAct={leave}
      isDangerous={false}
    >
      <Stack gap={16}>
        <p>{words.leaveText}</p>
        <DateField label={words.leftDay} description={words.leftDayHint} value={leftOn ?? ''} onDay={setLeftOn} />
      </Stack>
    </Confirm>
  );
}

function MergeDialog({ member, isOpen, onClose, onSaved }: DialogProps) {
  const { people: words } = useWords();
  const navigate = useNavigate();
  const tellUndoable = useTellUndoable();
  const [into, setInto] = useState<Chosen | null>(null);
  const name = nameOf(member);
  const merge = async () => {
    if (!into) throw new Error(words.mergeText(name));
    const kept = await giftwire.members.merge(member.id, { into: into.id });
    onSaved(kept);
    await tellUndoable(words.merged(nameOf(kept)), 'MEMBER_MERGE', kept.id);
    await navigate({ to: `/people/${kept.id}` as never });
  };
  return (
    <Confirm isOpen={isOpen} onClose={onClose} title={words.mergeTitle} act={words.mergeAct} onAct={merge}>
      <Stack gap={16}>
        <p>{words.mergeText(name)}</p>
        <PersonField label={words.mergeInto} value={into} onChange={setInto} except={member.id} isRequired />
        {into && <p>{words.mergeWarning(name, into.name)}</p>}
      </Stack>
    </Confirm>
  );
}
