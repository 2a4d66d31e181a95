// Finds ICD-10-CM codes while someone types, and puts the chosen one into the note's field. Arrow
// keys move in the list, Enter chooses and Escape closes. This file is served alone and
// imports nothing.
{
  type Diagnosis = { readonly code: string; readonly title: string }
  const debounceMs = 150

  const search = document.querySelector<HTMLElement>('[data-codes]')
  const input = search?.querySelector('input')
  const list = search?.querySelector('ul')
  const status = search?.querySelector<HTMLElement>('[role=status]')
  const field = document.querySelector<HTMLInputElement>('#note-codes')
  const chosen = field?.parentElement?.querySelector<HTMLElement>('.codes')

  const options = () => [...(list?.querySelectorAll<HTMLElement>('[role=option]') ?? [])]
  let movedTo: string | undefined
  const active = () => options().find(one => one.getAttribute('aria-selected') === 'true')

  function point(to: HTMLElement | undefined): void {
    for (const one of options()) one.setAttribute('aria-selected', String(one === to))
    if (to === undefined) input?.removeAttribute('aria-activedescendant')
    else input?.setAttribute('aria-activedescendant', to.id)
    to?.scrollIntoView({ block: 'nearest' })
  }

  /** The list item for a code and its title. */
  function lineOf({ code, title }: Diagnosis): HTMLLIElement {
    const line = document.createElement('li')
    const name = document.createElement('span')
    name.className = 'code'
    name.textContent = code
    line.dataset['code'] = code
    line.dataset['title'] = title
    line.append(name, ` ${title}`)
    return line
  }

  function show(found: readonly Diagnosis[]): void {
    if (!list || !input) return
    list.replaceChildren(
      ...found.map((one, at) => {
        const line = lineOf(one)
        line.id = `code-result-${at}`
        line.setAttribute('role', 'option')
        return line
      }),
    )
    list.hidden = found.length === 0
    input.setAttribute('aria-expanded', String(found.length > 0))
    // Later results keep the code that was moved to.
    point(options().find(one => one.dataset['code'] === movedTo) ?? options()[0])
  }

  const codesIn = (text: string) => text.split(/[\s,;]+/).filter(code => code !== '')

  function choose({ dataset }: HTMLElement): void {
    if (!field || !input || !status) return
    const { code = '', title = '' } = dataset
    const codes = codesIn(field.value)
    if (!codes.includes(code)) {
      field.value = [...codes, code].join(', ')
      chosen?.querySelector(`[data-code="${code}"]`)?.remove()
      chosen?.append(lineOf({ code, title }))
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    input.value = ''
    movedTo = undefined
    show([])
    status.textContent = `Added ${code}.`
  }

  let pending = new AbortController()

  async function find(): Promise<void> {
    pending.abort()
    pending = new AbortController()
    const { signal } = pending
    const q = input?.value.trim() ?? ''
    if (q === '') return show([])
    const address = `${search?.dataset['codes']}?${new URLSearchParams({ q })}`
    const found = await fetch(address, { signal, redirect: 'manual' })
      .then(answer => (answer.ok ? (answer.json() as Promise<readonly Diagnosis[]>) : null))
      .catch(() => null)
    if (signal.aborted || !status) return
    show(found ?? [])
    status.textContent =
      found === null
        ? 'The search isn’t available. Type the code instead.'
        : found.length === 0
          ? `No codes found for “${q}”.`
          : ''
  }

  if (search && input && list) {
    search.hidden = false
    let timer: ReturnType<typeof setTimeout> | undefined
    input.addEventListener('input', event => {
      // The search text isn't part of the draft.
      event.stopPropagation()
      clearTimeout(timer)
      timer = setTimeout(() => void find(), debounceMs)
    })
    input.addEventListener('keydown', event => {
      const { key } = event
      if (event.ctrlKey || event.metaKey) return
      const at = options().findIndex(one => one === active())
      if (key === 'Enter') {
        event.preventDefault()
        const one = active()
        if (one) choose(one)
      } else if (key === 'Escape' && !list.hidden) {
        event.preventDefault()
        show([])
      } else if ((key === 'ArrowDown' || key === 'ArrowUp') && at >= 0) {
        event.preventDefault()
        point(options().at((at + (key === 'ArrowDown' ? 1 : -1)) % options().length))
        movedTo = active()?.dataset['code']
      }
    })
    // Runs before the field loses focus.
    list.addEventListener('mousedown', event => {
      event.preventDefault()
      const one = event.target instanceof Element ? event.target.closest<HTMLElement>('li') : null
      if (one) choose(one)
    })
    input.addEventListener('blur', () => show([]))
    field?.addEventListener('input', () => {
      const codes = codesIn(field.value.toUpperCase())
      for (const line of chosen?.querySelectorAll<HTMLElement>('li') ?? []) {
        line.hidden = !codes.includes(line.dataset['code'] ?? '')
      }
    })
  }
}
