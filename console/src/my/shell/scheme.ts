/** Light or dark, as the person's system has it: the tokens follow this attribute. */
export function followScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const set = () => {
    document.documentElement.dataset.scheme = dark.matches ? 'dark' : 'light';
  };
  set();
  dark.addEventListener('change', set);
}
