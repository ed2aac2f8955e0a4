/**
 * What the page does: takes the key out of the address, reads the document and shows it. Text of the document goes in as text, never
 * as HTML. The key stays in the session storage of the page.
 */
export const referenceScript = `'use strict';
const place = (id) => document.getElementById(id);
const make = (tag, className, ...children) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children.filter((child) => child !== undefined));
  return element;
};
const keyName = 'ctx-key';

function keyOfAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (given === null) return;
  sessionStorage.setItem(keyName, given);
  history.replaceState(null, '', location.pathname);
}

function parametersOf(operation) {
  const list = operation.parameters || [];
  if (list.length === 0) return undefined;
  const head = make('tr', '', ...['name', 'in', 'meaning'].map((name) => make('th', '', name)));
  const rows = list.map((one) => make('tr', '',
    make('td', '', make('code', '', one.name + (one.required ? '' : '?'))),
    make('td', '', one.in),
    make('td', '', one.description || (one.schema && one.schema.description) || JSON.stringify(one.schema || {}))));
  return make('table', '', head, ...rows);
}

function schemasOf(title, content) {
  const entries = Object.entries(content || {});
  return entries.map(([type, { schema }]) => make('div', '',
    make('p', '', title + ' (' + type + ')'),
    make('pre', '', JSON.stringify(schema, null, 2))));
}

function curlOf(method, path, operation) {
  const parts = ['curl -sS'];
  if (method !== 'GET') parts.push('-X ' + method);
  parts.push('"$CTX_URL' + path + '"', '-H "Authorization: Bearer $CTX_KEY"');
  if (operation.requestBody) parts.push("-H 'Content-Type: application/json' -d '{…}'");
  return parts.join(' ');
}

function routeOf(path, name, operation) {
  const method = name.toUpperCase();
  const scope = operation.security && operation.security[0] && operation.security[0].key[0];
  const summary = make('summary', '',
    make('span', 'method', method), make('code', '', path),
    make('span', 'scope', scope || 'open'), ' ' + (operation.summary || ''));
  const answers = Object.entries(operation.responses || {}).flatMap(([status, answer]) =>
    schemasOf('Answers ' + status, answer.content));
  const body = operation.requestBody ? schemasOf('Takes', operation.requestBody.content) : [];
  const route = make('details', 'route', summary,
    operation.description ? make('p', '', operation.description) : undefined,
    make('pre', '', curlOf(method, path, operation)), parametersOf(operation), ...body, ...answers);
  route.dataset.text = (method + ' ' + path + ' ' + (operation.summary || '')).toLowerCase();
  return { tag: (operation.tags || ['other'])[0], route };
}

function show(documentOfServer) {
  const groups = new Map();
  for (const [path, operations] of Object.entries(documentOfServer.paths)) {
    for (const [name, operation] of Object.entries(operations)) {
      const { tag, route } = routeOf(path, name, operation);
      if (!groups.has(tag)) groups.set(tag, make('section', '', make('h2', '', tag)));
      groups.get(tag).append(route);
    }
  }
  place('routes').replaceChildren(...groups.values());
  place('state').textContent = documentOfServer.info.description;
}

async function read() {
  const key = sessionStorage.getItem(keyName);
  const headers = key === null ? {} : { authorization: 'Bearer ' + key };
  const answer = await fetch('/openapi.json', { headers });
  if (answer.ok) show(await answer.json());
  else place('state').textContent = answer.status === 401 ? 'Give a key with the scope read.' : 'Status ' + answer.status;
}

place('open').addEventListener('click', () => {
  sessionStorage.setItem(keyName, place('key').value.trim());
  place('key').value = '';
  void read();
});
place('find').addEventListener('input', () => {
  const words = place('find').value.toLowerCase();
  for (const route of document.querySelectorAll('.route')) route.hidden = !route.dataset.text.includes(words);
});
keyOfAddress();
void read();
`;
