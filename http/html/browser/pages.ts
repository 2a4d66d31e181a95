// Enhances pages that also work without scripts: copy buttons, times in the reader's zone, and URLs
// without empty filters. This file is served whole and imports nothing.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
/** Includes the zone's name, because a time may occur twice in a day. */
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' })
/** Labels a chart's axis. */
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' })

const hourMs = 3_600_000

/** Whether the clocks change within an hour. */
const isAtChange = (at: Date): boolean =>
  [-hourMs, hourMs].some(
    step => new Date(at.getTime() + step).getTimezoneOffset() !== at.getTimezoneOffset(),
  )

/** The zone's name without "daylight" or "standard", because a page may show times in both. */
const partOf = (timeZoneName: 'longGeneric' | 'shortGeneric') =>
  (
    new Intl.DateTimeFormat('en-US', { timeZoneName })
      .formatToParts()
      .find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC'
  ).replace(/^GMT(\+0(0:00)?)?$/, 'UTC')

/** Date and time inputs. An input's text is UTC until this script makes the text local. */
const momentInputs = (root: ParentNode, more = '') =>
  root.querySelectorAll<HTMLInputElement>(`input[data-utc]${more}`)
const inputText = (at: number) => new Date(at).toISOString().slice(0, 19).replace(/:00$/, '')

/** Names the reader's zone once for the page's times, and in its field labels. */
function nameZone(root: ParentNode): void {
  for (const note of root.querySelectorAll('[data-zone]')) {
    note.textContent = `Times are in ${partOf('longGeneric')}.`
  }
  for (const input of momentInputs(root, ':not([data-local])')) {
    input.dataset['local'] = ''
    const [label] = input.labels ?? []
    if (label) label.textContent = label.textContent.replace('UTC', partOf('shortGeneric'))
    const at = new Date(`${input.value}Z`)
    if (input.value === '' || Number.isNaN(at.getTime())) continue
    input.value = inputText(at.getTime() - at.getTimezoneOffset() * 60_000)
  }
}

/** How far a sandbox is ahead of real time, if the page shows one. */
const aheadMs = () =>
  Number(document.querySelector<HTMLElement>('[data-ahead-ms]')?.dataset['aheadMs'] ?? 0)

function enhance(root: ParentNode): void {
  nameZone(root)
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
  }
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[datetime]:not([data-local])')) {
    time.dataset['local'] = ''
    const at = new Date(time.dateTime)
    const chosen = time.dataset['format'] === 'hour' ? hour : isAtChange(at) ? exact : format
    // A non-breaking space keeps AM and PM with their time.
    time.textContent = chosen.format(at).replace(/ (?=\S+$)/, '\u00a0')
    const isAhead = time.dataset['clock'] === 'sandbox' && aheadMs() > 0
    time.title = [exact.format(at), time.title, ...(isAhead ? ['Sandbox time'] : [])].join('\n')
  }
}

const daySeconds = 86_400

/** “2 min. ago” within a day; anything else keeps its date. */
function agoText(at: number, now: number): string | null {
  const seconds = Math.round((at - now) / 1000)
  const size = Math.abs(seconds)
  if (size >= daySeconds) return null
  if (size < 60) return relative.format(seconds, 'second')
  if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute')
  return relative.format(Math.round(seconds / 3600), 'hour')
}

function writeAges(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-format=ago]')) {
    const isSandbox = time.dataset['clock'] === 'sandbox'
    const now = Date.now() + (isSandbox ? aheadMs() : 0)
    const text = agoText(Date.parse(time.dateTime), now)
    if (text !== null && text !== time.textContent) time.textContent = text
  }
}
setInterval(writeAges, 10_000)

document.addEventListener('click', event => {
  const { target } = event
  if (!(target instanceof Element)) return
  const button = target.closest<HTMLButtonElement>('button[data-copy]')
  if (button !== null) {
    void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(() => {
      const isIcon = button.classList.contains('copy')
      if (!isIcon) button.textContent = 'Copied'
      button.dataset['copied'] = ''
      setTimeout(() => {
        if (!isIcon) button.textContent = 'Copy'
        delete button.dataset['copied']
      }, 2000)
    })
    return
  }
  const theme = target.closest<HTMLElement>('[data-theme-choice]')
  if (theme !== null) return chooseTheme(theme.dataset['themeChoice'] ?? 'system')
  // Closes a menu when the reader clicks elsewhere.
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.switch[open]')) {
    if (!menu.contains(target)) menu.open = false
  }
})

/** The server reads the theme from a cookie, so no page flashes in the wrong theme. */
function chooseTheme(theme: string): void {
  const isSystem = theme === 'system'
  const age = isSystem ? 0 : 365 * 86_400
  document.cookie = `theme=${theme}; Path=/; SameSite=Lax; Max-Age=${age}`
  if (isSystem) delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  showTheme()
}

function showTheme(): void {
  const chosen = document.documentElement.dataset['theme'] ?? 'system'
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-theme-choice]')) {
    button.setAttribute('aria-pressed', String(button.dataset['themeChoice'] === chosen))
  }
}
for (const part of document.querySelectorAll<HTMLElement>('[data-themes]')) part.hidden = false
showTheme()

/** A form that opens in place scrolls into view with its button. */
document.addEventListener(
  'toggle',
  ({ target }) => {
    const isForm = target instanceof HTMLDetailsElement && target.matches('.confirm')
    if (isForm && target.open) target.scrollIntoView({ block: 'nearest' })
  },
  true,
)

/** Times are sent as UTC. Empty filters are left out of the list's URL. */
document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement)) return
  for (const { name, value } of momentInputs(target, '[data-local]')) {
    const at = new Date(value).getTime()
    if (!Number.isNaN(at)) formData.set(name, inputText(at))
  }
  if (target.method !== 'get') return
  for (const name of new Set(formData.keys())) {
    const given = formData.getAll(name).filter(value => value !== '')
    formData.delete(name)
    for (const value of given) formData.append(name, value)
  }
})

document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.switch[open]')) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

/** If leaving the page would end something, such as a call, links open in another tab. */
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('[data-stays] a[href]') : null
  if (link instanceof HTMLAnchorElement) link.target = '_blank'
})

/** Sends a form without leaving the page and replaces the element with this `id` by the response's.
 *  Without that element, for example because the session has ended, the page stays and says what to
 *  do. */
async function sendInPlace(form: HTMLFormElement, id: string): Promise<void> {
  const body = new URLSearchParams(new FormData(form) as unknown as Record<string, string>)
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  const text = await answer?.text().catch(() => null)
  const part = new DOMParser().parseFromString(text ?? '', 'text/html').getElementById(id)
  const shown = document.getElementById(id)
  if (part !== null) {
    shown?.replaceWith(part)
    return enhanceAll()
  }
  if (answer === null) return sayUnsent(shown, 'Check your connection, then try again.')
  if (answer.status >= 500) return sayUnsent(shown, 'Try again in a moment.')
  sayUnsent(shown, 'Confirm it’s you in a new tab, then try again.')
}

function sayUnsent(shown: Element | null, next: string): void {
  shown?.querySelector('[data-unsent]')?.remove()
  const alert = document.createElement('p')
  alert.className = 'alert'
  alert.role = 'alert'
  alert.dataset['unsent'] = ''
  alert.textContent = `That didn’t go through. ${next}`
  shown?.prepend(alert)
}

document.addEventListener('submit', event => {
  const { target: form } = event
  const id = form instanceof HTMLFormElement ? form.dataset['replaces'] : undefined
  if (!(form instanceof HTMLFormElement) || id === undefined) return
  event.preventDefault()
  void sendInPlace(form, id)
})

function enhanceAll(): void {
  enhance(document)
  writeAges()
}
document.addEventListener('htmx:after:swap', enhanceAll)
// A hidden page doesn't poll.
document.addEventListener('htmx:before:request', event => {
  const { target } = event
  const isPoll = target instanceof Element && target.matches('[hx-trigger^=every]')
  if (isPoll && document.hidden) event.preventDefault()
})
enhanceAll()
