// The "Try it" script: sends the form to the page's server and shows the response. The key is kept
// only in this tab (sessionStorage), and a live key is neither kept nor sent.
import { store, stored } from '../browser/storage.ts'
import { type TryResponse, answerElements, failure } from './answer.ts'
import { type Ids, newest, withIdsOf, withYourIds } from './ids.ts'
import { faultOfKey, requestOf } from './request.ts'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const ids = (): Ids => JSON.parse(stored('session', 'try-ids') ?? '{}')

/** Requests this machine's sandbox key, which the server gives only to its own pages. */
async function localKey(): Promise<string> {
  if (!/^(localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)) return ''
  const answer = await fetch('/dev/sandbox').catch(() => null)
  const access: unknown = answer?.ok === true ? await answer.json() : null
  const key: unknown = Reflect.get(Object(access), 'key')
  return typeof key === 'string' ? key : ''
}

function open(details: HTMLDetailsElement): void {
  const form = details.querySelector('form')
  const shown = details.querySelector('.try-answer')
  if (form === null || shown === null) return
  const control = (id: string) => form.querySelector<Control>(`#try-${id}`)
  const entries = [...form.querySelectorAll<Control>('[data-place]')]

  const renew = () => {
    const place = control('idempotency')
    if (place !== null) place.value = randomKey()
  }
  const fill = () => {
    for (const one of entries) {
      const { prefix } = one.dataset
      const isOfPath = one.dataset['place'] === 'path'
      if (prefix !== undefined && isOfPath && one.value === '') one.value = newest(ids(), prefix)
    }
    const body = control('body')
    if (body !== null) body.value = withYourIds(body.value, ids())
    renew()
  }
  const fillKey = async () => {
    const place = control('key')
    if (place === null || place.value !== '') return
    const key = stored('session', 'try-key') ?? (await localKey())
    // The reader may be typing their own key.
    if (place.value === '' && document.activeElement !== place) place.value = key
  }
  let keyFilled = Promise.resolve()
  details.addEventListener('toggle', () => {
    if (details.open) keyFilled = fillKey()
  })
  form.addEventListener('input', ({ target }) => {
    if (target === control('key')) return keepKey(control('key')?.value ?? '', shown)
    if (target === control('example')) {
      const body = control('body')
      if (body !== null) body.value = withYourIds(control('example')?.value ?? '', ids())
    }
    if (target !== control('idempotency')) renew()
  })
  form.addEventListener('submit', event => {
    event.preventDefault()
    // The sandbox's key may still be loading.
    void keyFilled.then(() => send(details, form, shown))
  })
  fill()
  if (location.hash === '#try') details.open = true
}

function keepKey(key: string, shown: Element): void {
  const fault = faultOfKey(key.trim())
  if (fault === null) store('session', 'try-key', key.trim())
  shown.replaceChildren(...(fault === null || key === '' ? [] : [failure(fault)]))
}

const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte =>
    byte.toString(16).padStart(2, '0'),
  ).join('')

async function send(details: HTMLElement, form: HTMLFormElement, shown: Element): Promise<void> {
  const { method = 'GET', path = '' } = details.dataset
  const control = (id: string) => form.querySelector<Control>(`#try-${id}`)
  const entries = [...form.querySelectorAll<Control>('[data-place]')]
  const request = requestOf({
    method,
    path,
    key: control('key')?.value.trim() ?? '',
    entries: entries.map(({ dataset, value }) => ({
      place: dataset['place'] ?? '',
      name: dataset['name'] ?? '',
      value: value.trim(),
    })),
    idempotencyKey: control('idempotency')?.value.trim() ?? '',
    body: control('body')?.value,
  })
  for (const wrong of form.querySelectorAll('[aria-invalid]')) wrong.removeAttribute('aria-invalid')
  if ('message' in request) {
    const at = control(request.name) ?? entries.find(one => one.dataset['name'] === request.name)
    at?.setAttribute('aria-invalid', 'true')
    at?.focus()
    shown.replaceChildren(failure(request.message))
    return
  }
  shown.textContent = 'Sending…'
  const { path: address, headers, body } = request
  const init = {
    method,
    headers,
    cache: 'no-store',
    ...(body === undefined ? {} : { body }),
  } as const
  const began = performance.now()
  const answered = await fetch(address, init).then(
    answer => read(answer, began),
    () => null,
  )
  if (answered === null) {
    shown.replaceChildren(failure(unreachable))
    return
  }
  if (answered.status < 400) {
    store('session', 'try-ids', JSON.stringify(withIdsOf(ids(), answered.value)))
  }
  shown.replaceChildren(...answerElements(answered))
}

const unreachable =
  'Couldn’t reach the server. Start it with npm start, then send the request again.'

async function read(answer: Response, began: number): Promise<TryResponse> {
  const text = await answer.text()
  const type = answer.headers.get('content-type') ?? ''
  return {
    status: answer.status,
    reason: answer.statusText,
    milliseconds: Math.round(performance.now() - began),
    headers: [...answer.headers],
    type,
    text,
    value: /\bjson\b/.test(type) ? JSON.parse(text) : undefined,
  }
}

const panel = document.querySelector<HTMLDetailsElement>('#try')
if (panel !== null) open(panel)
