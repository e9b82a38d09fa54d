// Finds the gift that the address names, opens the parcel, and keeps people on one page. Without it, every form works as a form.

const root = document.documentElement;
root.classList.add('scripted');

const tokenOf = () => location.hash.slice(1);
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

// This runs before the body is drawn, so that the form for the code does not flash up.
if (tokenOf()) root.classList.add('waiting');
addEventListener('DOMContentLoaded', begin);
addEventListener('popstate', travel);

function begin() {
  prepare();
  if (tokenOf()) look();
}

const sentValue = (name) => document.querySelector(`input[name=${name}]`)?.value ?? '';

function look(token = tokenOf(), movesFocus = false) {
  root.classList.add('waiting');
  const lang = sentValue('lang') || new URLSearchParams(location.search).get('lang');
  send(document.body.dataset.look ?? '/g/look', new URLSearchParams({ token, ...(lang && { lang }) }), movesFocus);
}

// The steps after a gift share one entry of the history: from a step, Back returns to the gift, and Back once more leaves it.

let isLeavingStep = false;

/** The visitor went back or forward, or the address names another gift. A gift that was found by its code has no token in the address. */
function travel() {
  const token = tokenOf() || sentValue('token');
  if (!isLeavingStep && token) look(token, true);
  isLeavingStep = false;
}

function noteStep() {
  const isStep = document.body.dataset.step !== undefined;
  const wasStep = history.state?.step === true;
  if (isStep && !wasStep) history.pushState({ step: true }, '');
  if (isStep || !wasStep) return;
  isLeavingStep = true;
  history.back();
}

/** Posts, and shows the page that comes back. */
async function send(address, body, movesFocus) {
  try {
    const answer = await fetch(address, { method: 'POST', body });
    await show(await answer.text(), movesFocus);
  } catch {
    root.classList.remove('waiting');
    say(document.body.dataset.offline);
  }
}

async function show(text, movesFocus) {
  const next = new DOMParser().parseFromString(text, 'text/html');
  await useColour(next.querySelector('link[data-colour]'));
  document.title = next.title;
  root.lang = next.documentElement.lang;
  document.body.replaceWith(document.adoptNode(next.body));
  root.classList.remove('waiting');
  prepare();
  noteStep();
  if (wasOpened()) open(false);
  if (movesFocus) moveFocus();
}

/** Takes the company's colour before its page is shown. If the style sheet is late, the page comes first. */
async function useColour(wanted) {
  const former = document.head.querySelector('link[data-colour]');
  if (former?.href === wanted?.href) return;
  if (wanted) {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.dataset.colour = '';
    const loaded = new Promise((resolve) => {
      link.onload = resolve;
      link.onerror = resolve;
      setTimeout(resolve, 1500);
    });
    link.href = wanted.href;
    document.head.append(link);
    await loaded;
  }
  former?.remove();
}

function prepare() {
  for (const link of all('a[data-keeps-hash]')) link.hash = location.hash;
}

const wanted = ['[autofocus]', '.thanks h2[tabindex]', 'section:not([hidden]) > h1, section:not([hidden]) > .intro h1'];

/** To the field that wants something, else to the answer to a note, else to the page's title. */
function moveFocus() {
  const [target] = wanted.map((selector) => document.querySelector(selector)).filter(Boolean);
  const isTitle = target?.matches('h1');
  target?.focus({ preventScroll: isTitle });
  if (isTitle) scrollTo({ top: 0 });
}

function say(text) {
  const place = document.querySelector('.said');
  place.textContent = '';
  // A reader hears the same text again only if it was gone in between.
  setTimeout(() => {
    place.textContent = text;
  }, 50);
}

// The parcel is opened once. This browser remembers which ones were: the mark of a gift is not its token.

const opened = 'giftwire.opened';

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(opened) ?? '[]');
  } catch {
    return [];
  }
}

function wasOpened() {
  return remembered().includes(document.body.dataset.gift ?? '');
}

function remember() {
  try {
    localStorage.setItem(opened, JSON.stringify([document.body.dataset.gift, ...remembered()].slice(0, 50)));
  } catch {
    // A browser that stores nothing shows the parcel each time.
  }
}

function open(isShown) {
  const sealed = document.querySelector('.sealed');
  const letter = document.querySelector('.open');
  if (!sealed || !letter) return;
  const from = sealed.querySelector('.parcel').getBoundingClientRect();
  sealed.hidden = true;
  letter.hidden = false;
  if (!isShown) return;
  // The parcel comes apart where it lay, and the letter goes to its place from there.
  const to = letter.querySelector('.stage').getBoundingClientRect();
  letter.style.setProperty('--from', `${from.top - to.top}px`);
  letter.style.setProperty('--parcel', `${from.height}px`);
  const [intro, wrap] = [sealed.querySelector('.intro'), letter.querySelector('.wrap')];
  intro.inert = true;
  intro.classList.add('leaving');
  letter.append(intro);
  wrap.append(sealed.querySelector('.tag'));
  letter.classList.add('opening');
  wrap.addEventListener('animationend', ({ animationName }) => {
    if (animationName !== 'gone') return;
    letter.classList.remove('opening');
    intro.remove();
  });
  remember();
  moveFocus();
}

document.addEventListener('click', async ({ target }) => {
  if (target.closest('[data-open]')) open(true);
  const button = target.closest('[data-copy]');
  if (!button) return;
  const code = document.getElementById(button.dataset.copy);
  getSelection().selectAllChildren(code);
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Without a secure connection there is no clipboard. The code is selected, and can be copied by hand.
    return;
  }
  const before = button.textContent;
  button.textContent = button.dataset.copied;
  say(button.dataset.copied);
  setTimeout(() => {
    button.textContent = before;
  }, 1500);
});

document.addEventListener('submit', (event) => {
  event.preventDefault();
  const { target, submitter } = event;
  if (target.ariaBusy === 'true') return;
  target.ariaBusy = 'true';
  send(target.action, new URLSearchParams(new FormData(target, submitter)), true).finally(() => {
    target.ariaBusy = null;
  });
});
