import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { languages, ownName } from '../../../src/ground/values/language.ts';
import { useHere } from '../data/me.tsx';
import { signOut } from '../data/session.ts';
import { Face } from '../parts/face.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { Go } from '../parts/link.tsx';
import { useLanguage, useWords } from '../words/words.tsx';

const looks = { light: 'sun', dark: 'moon', auto: 'gear' } as const satisfies Record<string, IconName>;

/** The person's own menu: account, look, language, sign out. */
export function AccountMenu() {
  const { frame } = useWords();
  const { me } = useHere();
  const { language, speak } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = me.user?.name || me.user?.email || me.token?.name || '';
  const tick = (isOn: boolean) => isOn && <Icon name="ok" size={16} />;
  return (
    <Menu position="bottom-end" width={232}>
      <Menu.Target>
        <UnstyledButton aria-label={frame.account} title={name}>
          <Face name={name} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{name}</Menu.Label>
        {me.user && (
          <Menu.Item component={Go} to="/account" leftSection={<Icon name="person" />}>
            {frame.yourAccount}
          </Menu.Item>
        )}
        <Menu.Item component="a" href="/docs" leftSection={<Icon name="book" />}>
          {frame.documentation}
        </Menu.Item>
        <Menu.Label>{frame.look}</Menu.Label>
        {(Object.keys(looks) as (keyof typeof looks)[]).map((look) => (
          <Menu.Item
            key={look}
            role="menuitemradio"
            aria-checked={colorScheme === look}
            leftSection={<Icon name={looks[look]} />}
            rightSection={tick(colorScheme === look)}
            onClick={() => setColorScheme(look)}
          >
            {frame[look]}
          </Menu.Item>
        ))}
        <Menu.Label>{frame.language}</Menu.Label>
        {languages.map((one) => (
          <Menu.Item
            key={one}
            role="menuitemradio"
            aria-checked={language === one}
            lang={one}
            rightSection={tick(language === one)}
            onClick={() => speak(one)}
          >
            {ownName(one)}
          </Menu.Item>
        ))}
        {me.user && (
          <>
            <Menu.Divider />
            <Menu.Item leftSection={<Icon name="out" />} onClick={() => void signOut()}>
              {frame.signOut}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
