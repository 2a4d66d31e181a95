// Opens the search with its button, ⌘K or Ctrl-K, or a slash outside a field. Without this script,
// the button is a link to the search page.

export function watchSearchKeys(): void {
  const button = document.querySelector<HTMLAnchorElement>('.search-open')
  if (button === null) return
  const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
  const hint = button.querySelector('kbd')
  if (hint) hint.textContent = isMac ? '⌘K' : 'Ctrl K'
  button.setAttribute('aria-haspopup', 'dialog')
  button.setAttribute('aria-keyshortcuts', isMac ? 'Meta+K /' : 'Control+K /')

  // Loads the dialog and the index when they're first used, or just before.
  const dialog = () => import('./search-dialog.ts')
  let openLoaded: ((typed?: string) => void) | undefined
  /** What is typed before the dialog has loaded. Undefined while it isn't being opened. */
  let typed: string | undefined
  const open = () => {
    if (openLoaded) return openLoaded()
    if (typed !== undefined) return
    typed = ''
    void dialog()
      .then(({ openSearch }) => {
        openLoaded = openSearch
        openSearch(typed)
      })
      .finally(() => (typed = undefined))
  }
  const prepare = () => void dialog().then(({ loadIndex }) => loadIndex().catch(() => undefined))
  button.addEventListener('pointerenter', prepare, { once: true })
  button.addEventListener('click', event => {
    if (isNewTab(event)) return
    event.preventDefault()
    open()
  })
  document.addEventListener('keydown', event => {
    const isChord = (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey
    if (typed !== undefined && !isChord && !event.altKey && event.key.length === 1) {
      event.preventDefault()
      typed += event.key
      return
    }
    const isSlash = event.key === '/' && !isChord && !event.altKey && !isTyping(event.target)
    if (!isSlash && !(isChord && event.key.toLowerCase() === 'k')) return
    event.preventDefault()
    open()
  })
}

const isNewTab = ({ metaKey, ctrlKey, shiftKey, button }: MouseEvent) =>
  metaKey || ctrlKey || shiftKey || button !== 0

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
