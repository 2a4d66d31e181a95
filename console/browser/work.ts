// Checks every few seconds for waiting work: counts, a patient in the video room, and whether the
// page's list has changed. A changed list is read again. The script's requests don't extend the
// session, so an idle page's session ends as usual. This file is served alone and imports nothing.
{
  const shownMs = 5000
  const hiddenMs = 30_000
  const soundKey = 'work-sound'
  /** Tells the server that no person sent the request. */
  const init: RequestInit = { headers: { 'x-refresh': '1' }, redirect: 'manual' }

  const isSoundOn = () => localStorage.getItem(soundKey) === 'on'

  function playTone(): void {
    const audio = new AudioContext()
    const tone = audio.createOscillator()
    const volume = audio.createGain()
    volume.gain.setValueAtTime(0.04, audio.currentTime)
    volume.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + 0.4)
    tone.frequency.value = 660
    tone.connect(volume).connect(audio.destination)
    tone.start()
    tone.stop(audio.currentTime + 0.4)
    tone.addEventListener('ended', () => void audio.close())
  }

  /** Whether the page has typed text that a form would save. */
  const isTyped = () =>
    [
      ...document.querySelectorAll<HTMLTextAreaElement | HTMLInputElement>(
        'main textarea, main input',
      ),
    ]
      .filter(({ type }) => type !== 'search' && type !== 'hidden')
      .some(one => one.value !== one.defaultValue)

  /** Whether reloading the page would lose typed text or end a call. */
  const isInUse = () => isTyped() || document.querySelector('[data-stays] iframe') !== null

  /** Whether this page has said that its session ended. */
  let isEnded = false

  /** Returns null without a network. Once the session has ended, a reload leads to sign-in. */
  async function read(path: string): Promise<Document | null> {
    const answer = await fetch(path, init).catch(() => null)
    if (answer === null || answer.status >= 500 || answer.status === 429) return null
    if (!answer.ok) {
      if (!isInUse()) location.reload()
      else if (answer.type === 'opaqueredirect') sayEnded()
      return null
    }
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }

  /** Takes the new session's form tokens, because those on this page belong to the ended one. */
  async function renew(): Promise<void> {
    const page = await read(location.href)
    if (page === null) return
    isEnded = false
    const tokens = new Map(
      [...page.querySelectorAll<HTMLFormElement>('form[method=post]')].map(form => [
        form.getAttribute('action'),
        form.querySelector<HTMLInputElement>('input[name=form]')?.value,
      ]),
    )
    for (const form of document.querySelectorAll<HTMLFormElement>('form[method=post]')) {
      const field = form.querySelector<HTMLInputElement>('input[name=form]')
      const token = tokens.get(form.getAttribute('action'))
      if (field !== null && token !== undefined) field.value = token
    }
    document.dispatchEvent(new Event('session-renewed'))
  }

  /** The next successful check replaces this note. */
  function sayEnded(): void {
    const work = document.querySelector<HTMLElement>('#work')
    if (work === null || isEnded) return
    isEnded = true
    const [note, text, link] = [
      document.createElement('p'),
      document.createElement('span'),
      document.createElement('a'),
    ]
    note.className = 'note waiting'
    note.role = 'status'
    text.textContent = 'Your session has ended. Nothing on this page is lost.'
    link.className = 'button small'
    link.textContent = 'Confirm it’s you'
    link.href = work.dataset['path'] ?? ''
    link.target = '_blank'
    note.append(text, link)
    work.replaceChildren(note)
  }

  const countsIn = (page: Document) =>
    new Map(
      [...page.querySelectorAll<HTMLElement>('.side [data-count]')].map(one => [
        one.dataset['count'] ?? '',
        one.hidden ? '' : (one.textContent ?? ''),
      ]),
    )

  const numberOf = (text: string | undefined) => Number.parseInt(text || '0', 10)

  /** Whether a person is choosing or confirming something in the list, which a refresh would
   *  disturb. */
  const isBusy = (list: Element) =>
    list.contains(document.activeElement) || list.querySelector('details[open]') !== null

  /** Whether the list is out of date, because no attempt to read it again has succeeded yet. */
  let isBehind = false

  async function refreshList(): Promise<void> {
    const list = document.querySelector('#results')
    if (list === null || isBusy(list)) return
    const page = await read(location.href)
    const next = page?.querySelector('#results')
    if (!next || isBusy(list)) return
    list.replaceChildren(...next.childNodes)
    const button = document.querySelector('#take-next')
    if (button && !isBusy(button))
      button.replaceChildren(...(page?.querySelector('#take-next')?.childNodes ?? []))
    isBehind = false
    document.dispatchEvent(new Event('htmx:after:swap'))
  }

  async function refresh(): Promise<void> {
    const work = document.querySelector<HTMLElement>('#work')
    if (work === null) return
    const page = await read(work.dataset['path'] ?? '')
    const next = page?.querySelector<HTMLElement>('#work')
    if (page === null || next === null || next === undefined) return
    if (isEnded) await renew()
    const [before, after] = [countsIn(document), countsIn(page)]
    for (const count of document.querySelectorAll<HTMLElement>('[data-count]')) {
      const text = after.get(count.dataset['count'] ?? '') ?? ''
      count.textContent = text
      count.hidden = text === ''
    }
    const plain = document.title.replace(/^\(\d+\+?\) /, '')
    document.title = (next.dataset['title'] ?? '') + plain
    const isMore = [...after].some(([id, text]) => numberOf(text) > numberOf(before.get(id)))
    if (isMore && isSoundOn()) playTone()
    if (next.dataset['mark'] !== work.dataset['mark']) isBehind = true
    work.dataset['mark'] = next.dataset['mark'] ?? ''
    if (work.innerHTML !== next.innerHTML) work.replaceChildren(...next.childNodes)
    if (isBehind) await refreshList()
  }

  function later(): void {
    setTimeout(() => void refresh().finally(later), document.hidden ? hiddenMs : shownMs)
  }
  later()
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refresh()
  })

  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-sound]')) {
    const show = () => {
      button.textContent = isSoundOn() ? 'Turn off sound' : 'Turn on sound'
      button.ariaPressed = String(isSoundOn())
    }
    button.hidden = false
    button.addEventListener('click', () => {
      localStorage.setItem(soundKey, isSoundOn() ? 'off' : 'on')
      show()
      if (isSoundOn()) playTone()
    })
    show()
  }
}
