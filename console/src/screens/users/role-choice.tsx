import type { Role } from '@giftwire/sdk';
import { Radio, Stack } from '@mantine/core';
import { useWords } from '../../words/words.tsx';

const roles: readonly Role[] = ['OWNER', 'PEOPLE_TEAM', 'MANAGER', 'APPROVER', 'AUDITOR'];

/** The roles, each with what it allows. */
export function RoleChoice({ value, onChange }: { value: Role; onChange: (role: Role) => void }) {
  const { users: words } = useWords();
  return (
    <Radio.Group label={words.role} value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap={8} mt={8}>
        {roles.map((role) => (
          <Radio key={role} value={role} label={words.roles[role]} description={words.roleTexts[role]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
