const { company = '', logo = '' } = (document.getElementById('root') as HTMLElement).dataset;

/** The company whose page this is, as the service wrote it into the page; null where the address names no workspace. */
export const theCompany: { name: string; logo: string | null } | null = company
  ? { name: company, logo: logo || null }
  : null;
