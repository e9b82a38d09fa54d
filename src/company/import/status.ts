/**
 * The meaning of a status: the person is here, has left, or is employed in some way. The last means that they are here unless
 * a leaving date has passed.
 */
export type Standing = 'here' | 'left' | 'employed';

/** The meaning of a company's own statuses, by the folded text. */
export type StatusMap = ReadonlyMap<string, 'here' | 'left'>;

/** Reads a status column: words and the codes of HR systems, never truth values; undefined if it is not understood. */
export function readStatus(text: string, own?: StatusMap): Standing | undefined {
  return own?.get(foldStatus(text)) ?? codes.get(foldStatus(text)) ?? readWords(text);
}

/** Reads a truth column: yes, no and the like, or the words of a status; no codes, because T and F are truth here. */
export function readTruth(text: string, own?: StatusMap): Standing | undefined {
  return own?.get(foldStatus(text)) ?? truths.get(foldStatus(text)) ?? readWords(text);
}

/** The same for a column that is true for leavers. Words such as "active" keep their meaning. */
export function readHasLeft(text: string, own?: StatusMap): Standing | undefined {
  const truth = truths.get(foldStatus(text));
  if (own?.has(foldStatus(text)) || truth === undefined) return readTruth(text, own);
  return truth === 'here' ? 'left' : 'here';
}

/** Statuses are compared without case, blanks and punctuation. */
export function foldStatus(text: string): string {
  // Most are plain words already, and every row has one.
  if (/^[a-z\d]*$/.test(text)) return text;
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/** Reads words alone. "Terminated (voluntary)" means what its first part means, unless another part contradicts it. "A - Active" names a code first. */
export function readWords(text: string): Standing | undefined {
  const whole = words.get(foldStatus(text));
  if (whole !== undefined) return whole;
  const [, named] = codeAndWords.exec(text) ?? [];
  if (named !== undefined) return readWords(named);
  const [first, ...others] = text.split(/\s[-–—]\s|[:/(),;]/).map((part) => words.get(foldStatus(part)));
  const contradicts = (other: Standing | undefined) =>
    other !== undefined && other !== 'employed' && first !== 'employed' && other !== first;
  if (first === 'employed') return others.find((other) => other !== undefined && other !== 'employed') ?? first;
  return others.some(contradicts) ? undefined : first;
}

/** A letter or a number, or capitals that blanks separate from what follows, such as `ACT - Active`: "Non-active" has no code. */
const codeAndWords =
  /^\s*(?:(?:\p{L}|\d{1,4})\s*[-–—:=.)]|(?!NO\b|NON\b|NOT\b|EX\b|OFF\b)[A-Z\d]{2,4}\s+[-–—:=])\s*(.+)$/u;

function listed(standing: Standing, text: string): [string, Standing][] {
  return text.split(',').map((word) => [foldStatus(word), standing]);
}

const truths = new Map([
  ...listed('here', 'true, yes, y, t, 1, on, x, ja, oui, si, wahr, vrai'),
  ...listed('left', 'false, no, n, f, 0, off, nein, non, falsch, faux'),
]);

/**
 * The codes of Workday, PeopleSoft, SAP SuccessFactors and ADP. Letters that they use with different meanings are left out:
 * --status says what a company's own codes mean.
 */
const codes = new Map([
  // Active; leave; leave with pay; short work break.
  ...listed('here', 'A, ACT, ACTV, L, LOA, LV, LWP, LWOP, P, W'),
  // Terminated, with pay, with pension; retired, with pay, with pension; deceased; inactive; suspended.
  ...listed('left', 'T, TERM, TERMD, TRM, U, V, R, RET, RETD, Q, X, D, DEC, DCSD, I, INA, INACT, S, SUSP'),
  ...listed('employed', 'F, FT, FTE, PT, FTC, TEMP, REG, PERM, C, CON'),
]);

const words = new Map([
  ...listed(
    'here',
    `active, active employee, current, current employee, employed, enabled, working, at work, here, in service,
     on leave, leave, leave of absence, on leave of absence, paid leave, unpaid leave, leave with pay, leave without pay,
     leave paid, leave unpaid, parental leave, on parental leave, maternity leave, paternity leave, maternity, paternity,
     paternity maternity leave, family leave, adoption leave, medical leave, sick leave, on sick leave, sick, disability,
     disability leave, short term disability, long term disability, military leave, study leave, bereavement leave,
     annual leave, vacation, garden leave, gardening leave, sabbatical, on sabbatical, furlough, furloughed, on furlough,
     secondment, on secondment, short work break, paid absence, unpaid absence, absent, onboarding, preboarding, pending,
     pending hire, future hire, new hire, new starter, hired, rehired, accepted, offer accepted, active process,
     active no process, probation, on probation, in probation,
     notice period, on notice, working notice, provisioned, staged, recovery, password expired, locked out, invited,
     aktiv, beurlaubt, elternzeit, in elternzeit, mutterschutz, krank, sabbatjahr, probezeit,
     actif, active, en poste, en congé, congé, congé parental, congé maternité, congé maladie, arrêt maladie,
     activo, activa, alta, en alta, de alta, dado de alta, dada de alta, vigente, de licencia, licencia, permiso, excedencia,
     de baja, baja médica, baja temporal, baja por enfermedad, baja por maternidad, baja por paternidad, baja maternal,
     baja laboral, incapacidad temporal, vacaciones`,
  ),
  ...listed(
    'left',
    `inactive, not active, terminated, terminated with pay, left, leaver, former, former employee, ex employee,
     suspended, disabled, deactivated, deprovisioned, resigned, retired, retiree, retired with pay, dismissed, deceased,
     separated, exited, offboarded, archived, deleted, laid off, layoff, redundant, made redundant, ended, withdrawn,
     no longer employed, inactive process, inactive no process, off boarded, not employed, end of contract, contract ended, discarded,
     inaktiv, ausgeschieden, ausgetreten, entlassen, pensioniert, im ruhestand, verstorben,
     inactif, inactive, parti, partie, sorti, sortie, licencié, licenciée, démissionné, retraité, décédé,
     inactivo, inactiva, baja, dado de baja, dada de baja, baja definitiva, baja voluntaria, cesado, cesada,
     egresado, egresada, desvinculado, desvinculada, despedido, despedida, jubilado, jubilada, fallecido, fallecida`,
  ),
  ...listed(
    'employed',
    `full time, part time, full time employee, part time employee, permanent, temporary, regular, fixed term, contract,
     contractor, contingent worker, freelance, freelancer, consultant, intern, internship, apprentice, trainee, working student,
     casual, seasonal, hourly, salaried, salary, exempt, non exempt, employee, worker, staff,
     vollzeit, teilzeit, befristet, unbefristet, festangestellt, praktikant, werkstudent, auszubildender, minijob, angestellt,
     temps plein, temps partiel, cdi, cdd, stagiaire, apprenti, intérimaire,
     tiempo completo, medio tiempo, tiempo parcial, indefinido, becario`,
  ),
]);
