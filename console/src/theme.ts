import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const sans = 'system-ui, -apple-system, "Segoe UI Variable Text", "Segoe UI", Roboto, "Noto Sans", sans-serif';
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Consolas, monospace';

const mulberry: MantineColorsTuple = [
  '#FBEEF4',
  '#F5D9E6',
  '#EBB2CC',
  '#E0699F',
  '#C24B88',
  '#B23C78',
  '#A32F6A',
  '#8C2459',
  '#741A48',
  '#561235',
];
const darkPlum: MantineColorsTuple = [
  '#F5EEF2',
  '#C4B6BF',
  '#A4949E',
  '#7F6F79',
  '#4A3C45',
  '#352A31',
  '#2A2127',
  '#1F181D',
  '#171116',
  '#0F0B0E',
];
/** Mantine's own greys are blue. */
const gray: MantineColorsTuple = [
  '#FBF9FA',
  '#F4F0F2',
  '#E9E2E6',
  '#D9CFD5',
  '#B9ABB4',
  '#A4949E',
  '#8B7C87',
  '#6E5E68',
  '#5B4B56',
  '#241720',
];
/** Vermilion, far from mulberry. */
const red: MantineColorsTuple = [
  '#FDEDE8',
  '#FBD5CB',
  '#FFBEAD',
  '#FF9F87',
  '#E86A4F',
  '#C93F24',
  '#B5331A',
  '#A62B14',
  '#86210E',
  '#5F1608',
];

/** The look of the console, as design.md has it. Colours with a meaning are tokens in tokens.css. */
export const theme = createTheme({
  primaryColor: 'mulberry',
  primaryShade: { light: 7, dark: 5 },
  colors: { mulberry, dark: darkPlum, gray, red },
  white: '#FFFFFF',
  black: '#241720',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusClassName: 'focus',
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  fontSizes: { xs: '13px', sm: '14px', md: '14px', lg: '16px', xl: '18px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  shadows: { sm: 'var(--pop)', md: 'var(--pop)', lg: 'var(--pop)', xl: 'var(--pop)' },
  headings: {
    fontFamily: sans,
    fontWeight: '650',
    sizes: { h1: { fontSize: '24px', lineHeight: '1.25' }, h2: { fontSize: '16px', lineHeight: '1.4' } },
  },
  components: {
    // One filled button a view; all others have this look.
    Button: { defaultProps: { variant: 'default', fw: 500 } },
    // A form asks for little, so required fields need no mark.
    InputWrapper: { defaultProps: { withAsterisk: false } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Modal: { defaultProps: { radius: 'lg', centered: true, padding: 'lg' } },
    Menu: { defaultProps: { shadow: 'md', radius: 'lg' } },
    Popover: { defaultProps: { shadow: 'md', radius: 'lg' } },
    Tooltip: { defaultProps: { openDelay: 300 } },
    Skeleton: { defaultProps: { animate: false } },
  },
});

export const cssVariablesResolver: CSSVariablesResolver = () => {
  const tokens = {
    '--mantine-color-body': 'var(--bg)',
    '--mantine-color-text': 'var(--ink)',
    '--mantine-color-dimmed': 'var(--ink-3)',
    '--mantine-color-placeholder': 'var(--ink-3)',
    '--mantine-color-default': 'var(--surface)',
    '--mantine-color-default-hover': 'var(--sunken)',
    '--mantine-color-default-color': 'var(--ink)',
    '--mantine-color-default-border': 'var(--line)',
    '--mantine-color-anchor': 'var(--brand-text)',
    '--mantine-color-error': 'var(--red)',
    '--mantine-color-mulberry-text': 'var(--brand-text)',
    '--mantine-color-mulberry-light': 'var(--brand-soft)',
    '--mantine-color-mulberry-light-color': 'var(--brand-text)',
    '--mantine-color-mulberry-filled-hover': 'var(--brand-hover)',
    '--mantine-color-red-text': 'var(--red)',
    '--mantine-color-red-light': 'var(--red-bg)',
    '--mantine-color-red-light-color': 'var(--red)',
  };
  return { variables: {}, light: tokens, dark: tokens };
};
