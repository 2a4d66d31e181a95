// Adds keyboard shortcuts, a passkey prompt at the button, and a document viewer's tools, and
// releases a case when a person leaves its last window. This file is served alone and imports
// nothing.

// Shortcuts ------------------------------------------------------------------------------------

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, input:not([type=radio], [type=checkbox])'))

const isShown = (one: HTMLElement) => one.getClientRects().length > 0

const keyed = () =>
  [...document.querySelectorAll<HTMLElement>('[data-key]')].filter(
    one => isShown(one) || one.matches('input'),
  )

/** A panel's first empty field, or its first button. */
function focusIn(panel: Element | null): void {
  const fields = panel?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    'textarea, .confirmation input:not([type=hidden])',
  )
  const empty = [...(fields ?? [])].find(one => isShown(one) && one.value === '')
  const target = empty ?? panel?.querySelector<HTMLElement>('button[value=next], button.second')
  target?.focus()
}

function press(one: HTMLElement): void {
  if (!(one instanceof HTMLInputElement)) return one.click()
  one.checked = true
  one.dispatchEvent(new Event('change', { bubbles: true }))
  focusIn(document.querySelector(`.panel.of-${one.value}`))
}

/** The first link in the row after or before the focused one. */
function moveInList(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll('#results tbody tr')].flatMap(row => {
    const link = row.querySelector<HTMLElement>('a')
    return link === null ? [] : [link]
  })
  if (links.length === 0) return false
  const row = document.activeElement?.closest('tr')
  const at = links.findIndex(link => link.closest('tr') === row)
  const next = links[Math.min(Math.max(at + step, 0), links.length - 1)]
  next?.focus()
  return true
}

function showKeys(): void {
  const dialog = document.createElement('dialog')
  dialog.className = 'keys'
  dialog.setAttribute('aria-label', 'Keyboard shortcuts')
  const list = document.createElement('dl')
  const add = (key: string, label: string) => {
    const [term, text] = [document.createElement('dt'), document.createElement('dd')]
    const mark = document.createElement('kbd')
    mark.textContent = key
    term.append(mark)
    text.textContent = label
    list.append(term, text)
  }
  for (const one of keyed()) add(one.dataset['key'] ?? '', one.dataset['keyLabel'] ?? '')
  if (document.querySelector('#results tbody')) add('j / k', 'Next or previous row')
  if (unclaim !== null) add('k', 'Previous page')
  if (document.querySelector('textarea')) add('Ctrl Enter', 'Send the form')
  add('?', 'Keyboard shortcuts')
  const [title, close] = [document.createElement('h2'), document.createElement('button')]
  title.textContent = 'Keyboard shortcuts'
  close.textContent = 'Close'
  close.className = 'button second small'
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('close', () => dialog.remove())
  dialog.append(title, list, close)
  document.body.append(dialog)
  dialog.showModal()
}

document.addEventListener('keydown', event => {
  const { key, target } = event
  const isSend = key === 'Enter' && (event.ctrlKey || event.metaKey)
  if (isSend && target instanceof HTMLElement) {
    const form = target.closest('form')
    form?.requestSubmit(form.querySelector<HTMLButtonElement>('button:not([type=button])'))
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target)) return
  if (document.querySelector('dialog[open]')) return
  if (key === '?') return showKeys()
  const one = keyed().find(({ dataset }) => dataset['key'] === key)
  if (one !== undefined) {
    event.preventDefault()
    press(one)
  } else if (key === 'j' || key === 'k') {
    if (moveInList(key === 'j' ? 1 : -1)) event.preventDefault()
    else if (key === 'k' && unclaim !== null) history.back()
  }
})

for (const hint of document.querySelectorAll<HTMLElement>('.keys-hint')) hint.hidden = false

// A passkey at the button ------------------------------------------------------------------------

type Parsing = typeof PublicKeyCredential & {
  parseRequestOptionsFromJSON?(options: unknown): PublicKeyCredentialRequestOptions
}

async function askPasskey(path: string): Promise<string> {
  const { parseRequestOptionsFromJSON: parse } = PublicKeyCredential as Parsing
  const options = await (await fetch(path)).json()
  if (parse === undefined) throw new Error('this browser is too old')
  const publicKey = parse.call(PublicKeyCredential, options)
  return JSON.stringify(await navigator.credentials.get({ publicKey }))
}

document.addEventListener('submit', event => {
  const form = event.target
  if (!(form instanceof HTMLFormElement)) return
  const hint = form.querySelector<HTMLElement>('[data-passkey]')
  const field = form.querySelector<HTMLInputElement>('input[name=passkey]')
  const code = form.querySelector<HTMLInputElement>('input[name=code]')
  if (hint === null || field === null || field.value !== '' || (code?.value ?? '') !== '') return
  event.preventDefault()
  const fault = form.querySelector<HTMLElement>('[data-passkey-fault]')
  if (fault !== null) fault.textContent = ''
  const { submitter } = event
  askPasskey(hint.dataset['passkey'] ?? '').then(
    answer => {
      field.value = answer
      form.requestSubmit(submitter)
    },
    () => {
      if (fault !== null) {
        fault.textContent =
          code === null
            ? 'Your browser didn’t offer a passkey. Try again, or use a recovery code.'
            : 'Your browser didn’t offer a passkey. Try again, or enter a code.'
      }
    },
  )
})

// Leaving a case ---------------------------------------------------------------------------------

/** Whether the person continues to another console page, which releases the case if needed, or
 *  reloads the current page. Without the Navigation API, the claim expires on its own. */
let goesOn = !('navigation' in window)
if ('navigation' in window) {
  const { navigation } = window as unknown as { navigation: EventTarget }
  navigation.addEventListener('navigate', event => {
    const { destination } = event as Event & { destination: { url: string } }
    goesOn = !new URL(destination.url).pathname.endsWith('/queue')
  })
  // Without leaving, for example after answering a question, the person stays.
  for (const event of ['pointerdown', 'keydown']) {
    window.addEventListener(event, () => (goesOn = false), true)
  }
}

const claim = document.querySelector<HTMLFormElement>('form.claim')
const unclaim = document.querySelector<HTMLFormElement>('form.unclaim')

/** This browser's other windows with the case. Each window holds a lock, which shows it even while
 *  the browser has paused it, and says when it opens or closes the case. */
const otherWindows = new Set<string>()
/** Windows that said they closed the case. Their locks may outlive them for a moment. */
const closedWindows = new Set<string>()
type WindowNote = { readonly name: string; readonly isOpen: boolean }

/** Marks the release form if this is the last window. Without the Web Locks API, none is. */
const markLast = () => unclaim?.toggleAttribute('data-last', otherWindows.size === 0)

function joinWindows(about: string): void {
  let isKnown = false
  const own = `${about} ${crypto.randomUUID()}`
  const channel = new BroadcastChannel(about)
  const say = (isOpen: boolean) => channel.postMessage({ name: own, isOpen } satisfies WindowNote)
  const find = async () => {
    const { held = [] } = await navigator.locks.query()
    otherWindows.clear()
    for (const { name = '' } of held) {
      const isOther = name !== own && name.startsWith(`${about} `)
      if (isOther && !closedWindows.has(name)) otherWindows.add(name)
    }
    isKnown = true
    markLast()
  }
  channel.addEventListener('message', ({ data }: MessageEvent<WindowNote>) => {
    const [to, from] = data.isOpen ? [otherWindows, closedWindows] : [closedWindows, otherWindows]
    from.delete(data.name)
    to.add(data.name)
    if (isKnown) markLast()
    // A search that began before the window opened would leave it out.
    if (data.isOpen) void find()
  })
  // A window that crashed said nothing.
  window.addEventListener('focus', () => void find())
  window.addEventListener('pagehide', () => say(false))
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) say(true)
  })
  void navigator.locks.request(own, async () => {
    say(true)
    await find()
    // Holds the lock until the page is closed.
    await new Promise(() => {})
  })
}

if (claim !== null && 'locks' in navigator) joinWindows(claim.action)

window.addEventListener('pagehide', () => {
  if (goesOn || unclaim?.hasAttribute('data-last') !== true) return
  const fields = [...new FormData(unclaim)].map(([name, value]) => [name, String(value)])
  navigator.sendBeacon(unclaim.action, new URLSearchParams([...fields, ['closed', '1']]))
})

// A document's page ------------------------------------------------------------------------------

const view = document.querySelector<HTMLImageElement>('img[data-view]')
const [zoomMin, zoomMax, zoomStep] = [0.5, 4, 1.25]
let [zoom, turns] = [1, 0]

const settle = () => {
  const word = document.querySelector<HTMLElement>('.rendering')
  if (view === null || word === null) return
  if (view.naturalWidth > 0) return word.remove()
  view.hidden = true
  word.role = 'alert'
  word.textContent = word.dataset['failed'] ?? ''
}
if (view?.complete === true) settle()
for (const event of ['load', 'error']) view?.addEventListener(event, settle)

function showView(): void {
  if (view === null) return
  // A picture turned on its side is scaled until its height fills the frame's width.
  const isSide = turns % 2 === 1
  const ratio = isSide ? view.naturalWidth / view.naturalHeight : 1
  const shift = (zoom * (1 - ratio) * 100) / 2
  view.style.width = `${zoom * ratio * 100}%`
  view.style.maxWidth = 'none'
  view.style.rotate = `${turns * 90}deg`
  view.style.margin = `${-shift}% ${shift}%`
}

for (const tools of document.querySelectorAll<HTMLElement>('.view-tools')) tools.hidden = false

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-tool]') : null
  const tool = button?.dataset['tool']
  if (tool === undefined) return
  if (tool === 'rotate') turns = (turns + 1) % 4
  else zoom *= tool === 'in' ? zoomStep : 1 / zoomStep
  zoom = Math.min(Math.max(zoom, zoomMin), zoomMax)
  showView()
})

for (const button of document.querySelectorAll<HTMLButtonElement>('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => window.print())
}
