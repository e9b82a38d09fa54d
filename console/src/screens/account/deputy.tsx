import { type Deputy, GiftwireError } from '@giftwire/sdk';
import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { giftwire } from '../../data/client.ts';
import { useCan, useHere, useToday } from '../../data/me.tsx';
import { DateField } from '../../parts/date-field.tsx';
import { Fault } from '../../parts/fault.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Section } from '../../parts/page.tsx';
import { type Chosen, PersonField } from '../../parts/person-field.tsx';
import { tell } from '../../parts/tell.tsx';
import { useFormats, useWords } from '../../words/words.tsx';

const key = ['approvals', 'deputy'];

/** Who decides for the user while they are away. */
export function DeputySection() {
  const { account: words } = useWords();
  const { day } = useFormats();
  const can = useCan();
  const queries = useQueryClient();
  const place = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => giftwire.approvals.deputy({ signal }).catch(noDeputy),
  });
  const remove = useMutation({
    mutationFn: () => giftwire.approvals.deleteDeputy(),
    onSuccess: () => {
      queries.setQueryData(key, null);
      tell(words.deputyRemoved);
    },
  });
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (isLoaded && location.hash === '#deputy') place.current?.scrollIntoView();
  }, [isLoaded]);
  return (
    <Section title={words.deputy}>
      <div ref={place}>
        <p className="second">{words.deputyText}</p>
        <Fault error={error ?? remove.error} retry={error ? () => void refetch() : () => remove.mutate()} />
        {isLoaded && (
          <>
            <p style={{ margin: '8px 0 12px' }}>
              {data ? <b>{words.deputyIs(data.name, day(data.from), day(data.to))}</b> : words.deputyNone}
            </p>
            <Group gap={8}>
              {can('directory:read') ? (
                <Button onClick={() => setOpen(true)}>{data ? words.deputyChange : words.deputyName}</Button>
              ) : (
                <span className="quiet">{words.deputyAsk}</span>
              )}
              {data && (
                <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
                  {words.deputyRemove}
                </Button>
              )}
            </Group>
            {isOpen && <DeputyForm deputy={data} onClose={() => setOpen(false)} />}
          </>
        )}
      </div>
    </Section>
  );
}

function noDeputy(error: unknown): null {
  if (error instanceof GiftwireError && error.status === 404) return null;
  throw error;
}

function DeputyForm({ deputy, onClose }: { deputy: Deputy | null; onClose: () => void }) {
  const { account: words } = useWords();
  const today = useToday();
  const { memberId } = useHere().workspace;
  const queries = useQueryClient();
  const [person, setPerson] = useState<Chosen | null>(deputy && { id: deputy.memberId, name: deputy.name });
  const [from, setFrom] = useState<string | null>(deputy?.from ?? today);
  const [to, setTo] = useState<string | null>(deputy?.to ?? '');
  const [isTried, setTried] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (named: { memberId: number; from: string; to: string }) => giftwire.approvals.updateDeputy(named),
    onSuccess: (named) => {
      queries.setQueryData(key, named);
      tell(words.deputyNamed(named.name));
      onClose();
    },
  });
  const save = () => {
    setTried(true);
    if (person && from && to) mutate({ memberId: person.id, from, to });
  };
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={deputy ? words.deputyChange : words.deputyName}
      onSave={save}
      isSaving={isPending}
      fault={error}
    >
      <PersonField
        label={words.deputyPerson}
        value={person}
        onChange={setPerson}
        except={memberId}
        error={isTried && !person ? words.deputyMissing : null}
      />
      <DateField
        label={words.deputyFrom}
        value={from ?? ''}
        onDay={(day) => setFrom(day)}
        error={isTried && !from && words.dayMissing}
      />
      <DateField
        label={words.deputyTo}
        value={to ?? ''}
        min={from || today}
        onDay={(day) => setTo(day)}
        error={isTried && !to && words.dayMissing}
      />
    </FormDialog>
  );
}
