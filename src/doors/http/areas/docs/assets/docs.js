// Copying, finding and trying. The pages can be read without any of it.

const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

/** The examples name the demo's address; a reader here wants this service's. */
for (const code of all('pre code')) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    walker.currentNode.data = walker.currentNode.data.replace('http://127.0.0.1:8080', location.origin);
}

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('.copy');
  if (!button) return;
  await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy';
  }, 1500);
});

// Finding a page or an operation.

const navigation = document.querySelector('#navigation');
const find = document.querySelector('#find');

function showMatches() {
  const wanted = find.value.trim().toLowerCase();
  navigation.classList.toggle('finding', wanted !== '');
  for (const item of all('li', navigation)) item.hidden = !item.textContent.toLowerCase().includes(wanted);
}
find.addEventListener('input', showMatches);
find.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') find.value = '';
  if (event.key === 'Enter')
    all('li:not([hidden]) a', navigation)
      .find((link) => matches(link))
      ?.click();
  showMatches();
});
const matches = (link) => link.textContent.toLowerCase().includes(find.value.trim().toLowerCase());

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea');
  if ((event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    find.focus();
  }
});

// On a small screen the navigation lies over the page: a link within the page has to put it away.
navigation.addEventListener('click', ({ target }) => {
  if (target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover();
});

// The reader's token, kept by this tab alone.

const credentials = document.querySelector('#credentials');
const [token, workspace] = all('input', credentials);
token.value = sessionStorage.getItem('docs.token') ?? '';
workspace.value = sessionStorage.getItem('docs.workspace') ?? '1';

function showCredentials() {
  const text =
    token.value === '' ? 'No token yet.' : `Token ${token.value.slice(0, 12)}…, workspace ${workspace.value}`;
  for (const place of all('.credential')) place.textContent = text;
  for (const button of all('[popovertarget="credentials"]'))
    button.textContent = token.value === '' ? 'Set token' : 'Change token';
}
showCredentials();
credentials.addEventListener('submit', (event) => {
  event.preventDefault();
  sessionStorage.setItem('docs.token', token.value);
  sessionStorage.setItem('docs.workspace', workspace.value);
  showCredentials();
  credentials.hidePopover();
});
credentials.addEventListener('reset', () => {
  sessionStorage.removeItem('docs.token');
  sessionStorage.removeItem('docs.workspace');
  setTimeout(showCredentials);
});

// Trying an operation.

function requestOf(form) {
  const { method, path, workspace: workspaceHeader } = form.dataset;
  const headers = new Headers();
  const query = new URLSearchParams();
  let address = path;
  let body;
  for (const { name, value, dataset } of all('[data-in]', form)) {
    if (value === '') continue;
    if (dataset.in === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.append(name, value);
    else if (dataset.in === 'header') headers.set(name, value);
    else {
      headers.set('Content-Type', dataset.type);
      body = value;
    }
  }
  if (token.value !== '') headers.set('Authorization', `Bearer ${token.value}`);
  if (workspaceHeader) headers.set(workspaceHeader, workspace.value);
  return [`${address}${query.size > 0 ? `?${query}` : ''}`, { method, headers, body }];
}

async function send(form) {
  const output = form.querySelector('output');
  const began = performance.now();
  try {
    const response = await fetch(...requestOf(form));
    const text = await response.text();
    const took = `${Math.round(performance.now() - began)} ms`;
    show(output, response.ok, `${response.status} ${response.statusText}, ${took}`, pretty(text));
    if (response.ok) remember(text);
  } catch (error) {
    show(output, false, 'No answer', `The service could not be reached: ${error.message}`);
  }
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text === '' ? 'No body.' : text;
  }
}

/** The requestId of an order that was just sent is what its status is asked for with. */
function remember(text) {
  const requestId = /"requestId":"([^"]+)"/.exec(text)?.[1];
  if (requestId) for (const input of all('input[name="requestId"]')) input.value ||= requestId;
}

function show(output, isGood, title, text) {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  const pre = document.createElement('pre');
  const code = document.createElement('code');
  figure.className = 'code';
  caption.className = isGood ? 'good' : 'bad';
  caption.textContent = title;
  pre.tabIndex = 0;
  code.textContent = text;
  pre.append(code);
  figure.append(caption, pre);
  output.replaceChildren(figure);
  output.hidden = false;
}

for (const form of all('.try form'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
