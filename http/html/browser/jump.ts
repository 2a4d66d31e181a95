// The pages' search dialog (http/pages/jump.tsx): shortcuts, results as someone types, arrow keys,
// and recent items. This file is served whole and imports nothing. Classic scripts share one
// namespace, so this script keeps its names in a block.

{
  type Recent = { readonly href: string; readonly label: string; readonly person: string }

  const storageKey = 'recent-items'
  const recentMax = 20
  const shownMax = 6
  const debounceMs = 120

  const dialog = document.querySelector<HTMLDialogElement>('dialog.jump')
  const forms = [...document.querySelectorAll<HTMLFormElement>('.jump-form')]
  const person = dialog?.dataset['person'] ?? ''

  function storedRecents(): readonly Recent[] {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]') as Recent[]
  }

  function keepRecent(): void {
    const label = document.querySelector<HTMLElement>('main[data-recent]')?.dataset['recent']
    if (label === undefined || person === '') return
    const href = location.pathname
    // Another person's items are removed as soon as someone else signs in here.
    const others = storedRecents().filter(one => one.person === person && one.href !== href)
    const kept = [{ href, label, person }, ...others].slice(0, recentMax)
    localStorage.setItem(storageKey, JSON.stringify(kept))
  }

  /** Only items below the search page's own folder: the same account, clinic and mode. */
  function recentsOf(form: HTMLFormElement): readonly Recent[] {
    const folder = new URL(form.action).pathname.replace(/[^/]*$/, '')
    return storedRecents()
      .filter(one => one.person === person && one.href.startsWith(folder))
      .filter(one => one.href !== location.pathname)
      .slice(0, shownMax)
  }

  function recentSection(form: HTMLFormElement): HTMLElement | null {
    const items = recentsOf(form)
    if (items.length === 0) return null
    const section = document.createElement('section')
    const heading = document.createElement('h2')
    heading.textContent = 'Recent'
    const list = document.createElement('ul')
    for (const { href, label } of items) {
      const link = document.createElement('a')
      link.href = href
      const text = document.createElement('span')
      text.className = 'jump-label'
      text.textContent = label
      link.append(text)
      const item = document.createElement('li')
      item.append(link)
      list.append(item)
    }
    section.append(heading, list)
    return section
  }

  const inputOf = (form: HTMLFormElement) => form.querySelector('input') as HTMLInputElement
  const resultsOf = (form: HTMLFormElement) =>
    document.getElementById(form.dataset['results'] ?? '') as HTMLElement

  let pending = new AbortController()

  async function showResults(form: HTMLFormElement): Promise<void> {
    pending.abort()
    pending = new AbortController()
    const query = inputOf(form).value.trim()
    const { signal } = pending
    const address = `${form.action}?${new URLSearchParams({ q: query })}`
    // Nothing is shown for a request that failed offline or that further typing made obsolete.
    // Enter still opens the search page.
    const init: RequestInit = { headers: { 'x-jump': 'dialog' }, redirect: 'manual', signal }
    const answer = await fetch(address, init).catch(() => null)
    if (answer?.type === 'opaqueredirect') return offerSignIn(form, address)
    const text = await answer?.text().catch(() => null)
    if (typeof text !== 'string' || signal.aborted) return
    const found = new DOMParser()
      .parseFromString(text, 'text/html')
      .querySelector('#jump-page-results')
    if (found === null) return
    const results = resultsOf(form)
    results.replaceChildren(...found.childNodes)
    results.dataset['query'] = query
    const recents = query === '' ? recentSection(form) : null
    if (recents !== null) results.prepend(recents)
  }

  /** Once the session has ended, the search page leads to sign-in and back. */
  function offerSignIn(form: HTMLFormElement, address: string): void {
    const link = document.createElement('a')
    link.href = address
    link.textContent = 'Your session has ended. Sign in to search.'
    resultsOf(form).replaceChildren(link)
  }

  function open(): void {
    const [form] = forms
    if (form === undefined || dialog === null) return
    const onPage = forms.find(one => one.closest('dialog') === null)
    if (onPage !== undefined) return inputOf(onPage).select()
    dialog.showModal()
    inputOf(form).select()
    void showResults(form)
  }

  for (const form of forms) {
    let timer: ReturnType<typeof setTimeout> | undefined
    form.addEventListener('input', () => {
      clearTimeout(timer)
      timer = setTimeout(() => void showResults(form), debounceMs)
    })
    form.addEventListener('submit', event => {
      const first = resultsOf(form).querySelector('a')
      const isShown = resultsOf(form).dataset['query'] === inputOf(form).value.trim()
      if (first === null || !isShown) return
      event.preventDefault()
      first.click()
    })
    const move = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      const places = [inputOf(form), ...resultsOf(form).querySelectorAll('a')]
      const at = places.indexOf(document.activeElement as HTMLAnchorElement)
      if (at < 0) return
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      places[(at + step + places.length) % places.length]?.focus()
    }
    form.addEventListener('keydown', move)
    resultsOf(form).addEventListener('keydown', move)
  }

  const isTyping = (target: EventTarget | null) =>
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

  document.addEventListener('keydown', event => {
    const isCommand = event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey)
    const isSlash = event.key === '/' && !event.metaKey && !event.ctrlKey && !event.altKey
    if (dialog === null || !(isCommand || (isSlash && !isTyping(event.target)))) return
    event.preventDefault()
    if (dialog.open) dialog.close()
    else open()
  })

  document.addEventListener('click', event => {
    const { target } = event
    if (!(target instanceof Element)) return
    if (target.closest('[data-jump]') !== null && !event.metaKey && !event.ctrlKey) {
      event.preventDefault()
      open()
    } else if (target === dialog) {
      // A click on the backdrop targets the dialog itself.
      dialog.close()
    }
  })

  document.addEventListener('submit', ({ target }) => {
    if (target instanceof HTMLFormElement && target.action.endsWith('/sign-out')) {
      localStorage.removeItem(storageKey)
    }
  })

  const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
  for (const key of document.querySelectorAll<HTMLElement>('[data-jump] kbd')) {
    key.hidden = false
    if (!isApple) key.textContent = 'Ctrl K'
  }
  keepRecent()
}
