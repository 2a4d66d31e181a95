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

  /** Returns null without a network. If the session has ended, a reload leads to sign-in. */
  async function read(path: string): Promise<Document | null> {
    const answer = await fetch(path, init).catch(() => null)
    if (answer === null || answer.status >= 500 || answer.status === 429) return null
    if (!answer.ok) {
      if (isInUse()) sayEnded()
      else location.reload()
      return null
    }
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }

  /** The next successful check replaces this note. */
  function sayEnded(): void {
    const work = document.querySelector<HTMLElement>('#work')
    if (work === null || work.querySelector('[data-ended]') !== null) return
    const [note, text, link] = [
      document.createElement('p'),
      document.createElement('span'),
      document.createElement('a'),
    ]
    note.className = 'note waiting'
    note.role = 'status'
    note.dataset['ended'] = ''
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
