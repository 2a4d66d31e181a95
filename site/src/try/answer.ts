// Renders the response: the status, a problem's advice, the body and the headers.
import { element } from '../browser/element.ts'

export type TryResponse = {
  status: number
  reason: string
  milliseconds: number
  headers: [string, string][]
  type: string
  text: string
  /** The body's value, if the body is JSON. */
  value: unknown
}

export const failure = (text: string) => element('p', { class: 'try-fault' }, text)

export function answerElements(answered: TryResponse): HTMLElement[] {
  const { status, reason, milliseconds, headers, type, text, value } = answered
  const line = element(
    'p',
    { class: 'try-status', 'data-ok': String(status < 400) },
    element('strong', {}, `${status} ${reason}`),
    ` in ${milliseconds} ms`,
  )
  const isJson = value !== undefined
  const body = isJson ? JSON.stringify(value, null, 2) : text
  const all = headers.map(([name, content]) => `${name}: ${content}`).join('\n')
  return [
    line,
    ...(isJson ? problemElements(value) : [failure(notAnApi(type))]),
    ...(body === '' || !isJson ? [] : [block('Body', colored(body))]),
    element(
      'details',
      { class: 'field-more' },
      element('summary', {}, `Headers (${headers.length})`),
      block('Headers', [all]),
    ),
  ]
}

const notAnApi = (type: string) =>
  `The response is ${type === '' ? 'empty' : type}, so this page’s server doesn’t serve the API. Start the sandbox on your machine with npm start, and open this page there.`

function block(name: string, inside: (Node | string)[]): HTMLElement {
  const code = element('pre', { class: 'code', tabindex: '0', 'aria-label': name }, ...inside)
  return element('div', { class: 'code-block' }, element('p', { class: 'code-head' }, name), code)
}

const textOf = (value: unknown, name: string): string => {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : ''
}

/** A problem's title, detail, hint and fields. */
function problemElements(value: unknown): HTMLElement[] {
  const code = textOf(value, 'code')
  const detail = textOf(value, 'detail')
  if (code === '' || detail === '') return []
  const faults: unknown = Reflect.get(Object(value), 'errors')
  const items = (Array.isArray(faults) ? faults : []).map(fault =>
    element(
      'li',
      {},
      element('code', {}, textOf(fault, 'pointer')),
      ` ${textOf(fault, 'message')}`,
    ),
  )
  const hint = textOf(value, 'hint')
  return [
    element(
      'div',
      { class: 'try-problem' },
      element('p', {}, element('a', { href: `/problems/${code}` }, code), ` ${detail}`),
      ...(items.length === 0 ? [] : [element('ul', {}, ...items)]),
      ...(hint === '' ? [] : [element('p', {}, hint)]),
    ),
  ]
}

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** JSON with the site's code colors. */
function colored(json: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let at = 0
  for (const { 0: text, 1: quoted, 2: colon, index } of json.matchAll(token)) {
    const kind = colon !== undefined ? 'keyword' : quoted === undefined ? 'constant' : 'string'
    const colored = quoted ?? text
    parts.push(json.slice(at, index), element('span', { class: `t-${kind}` }, colored))
    at = index + colored.length
  }
  return [...parts, json.slice(at)]
}
