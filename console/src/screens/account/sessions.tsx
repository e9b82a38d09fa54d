import type { MySession } from '@giftwire/sdk';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { giftwire } from '../../data/client.ts';
import { queries } from '../../data/queries.ts';
import { Fault } from '../../parts/fault.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useWords, type Words } from '../../words/words.tsx';

/** The browsers that the person is signed in with. */
export function Sessions({ sessions }: { sessions: readonly MySession[] }) {
  const { account: words } = useWords();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (id: number) => giftwire.me.endSession(id),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['account'] }),
  });
  const columns: Column<MySession>[] = [
    {
      key: 'browser',
      head: words.browser,
      cell: ({ browser, isThis }) => (
        <span>
          <b>{browserName(browser, words)}</b>
          {isThis && <div className="quiet small">{words.thisOne}</div>}
        </span>
      ),
    },
    { key: 'way', head: words.way, isOptional: true, cell: ({ way }) => words.ways[way] },
    { key: 'since', head: words.since, cell: ({ createdAt }) => <When time={createdAt} as="ago" /> },
    { key: 'ends', head: words.ends, isOptional: true, cell: ({ expiresAt }) => <When time={expiresAt} /> },
    {
      key: 'end',
      head: words.actions,
      hidesHead: true,
      isNumber: true,
      cell: ({ id, isThis, browser }) =>
        !isThis && (
          <Button
            size="compact-sm"
            aria-label={words.endThat(browserName(browser, words))}
            loading={isPending && variables === id}
            onClick={() => mutate(id)}
          >
            {words.end}
          </Button>
        ),
    },
  ];
  return (
    <>
      <Fault error={error} />
      <Table label={words.sessions} columns={columns} rows={sessions} rowKey={({ id }) => id} />
    </>
  );
}

const browsers = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\biPhone|iPad\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** "Firefox on Linux", from what the browser calls itself. */
function browserName(text: string | null, { on, unknown }: Words['account']): string {
  const browser = browsers.find(([pattern]) => pattern.test(text ?? ''))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text ?? ''))?.[1];
  if (!browser) return unknown;
  return system ? on(browser, system) : browser;
}
