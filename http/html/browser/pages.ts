// What scripts add to pages that are complete without them: copying, times in the reader's zone,
// and addresses without empty filters. It is served as one file and imports nothing.

const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** Along the axis of a chart. */
const hour = new Intl.DateTimeFormat(undefined, { hour: 'numeric' })

function enhance(root: ParentNode): void {
  for (const button of root.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
    button.hidden = false
  }
  for (const time of root.querySelectorAll<HTMLTimeElement>('time[datetime]:not([data-local])')) {
    time.dataset['local'] = ''
    const chosen = time.dataset['format'] === 'hour' ? hour : format
    // The space before AM or PM does not break, so that neither stands alone in a line.
    time.textContent = chosen.format(new Date(time.dateTime)).replace(/ (?=\S+$)/, '\u00a0')
  }
}

document.addEventListener('click', event => {
  const { target } = event
  if (!(target instanceof Element)) return
  const button = target.closest<HTMLButtonElement>('button[data-copy]')
  if (button !== null) {
    void navigator.clipboard.writeText(button.dataset['copy'] ?? '').then(() => {
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    return
  }
  // A menu closes when the reader goes on elsewhere.
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('.switch[open]')) {
    if (!menu.contains(target)) menu.open = false
  }
})

/** A filter that is left open is not in the address of the list. */
document.addEventListener('formdata', ({ target, formData }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'get') return
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

document.addEventListener('htmx:after:swap', () => enhance(document))
enhance(document)
