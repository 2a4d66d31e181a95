// Asks before someone leaves a page with a call or with text that isn't stored. This file is served
// alone and imports nothing.
{
  type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

  const isControl = (one: Element): one is Control =>
    one.matches(
      'textarea, select, input:not([type=hidden], [type=search], [name=code], [data-utc])',
    )

  const defaultIndex = (one: HTMLSelectElement) =>
    Math.max(
      [...one.options].findIndex(option => option.defaultSelected),
      0,
    )

  function isChanged(one: Control): boolean {
    if (one instanceof HTMLSelectElement) return one.selectedIndex !== defaultIndex(one)
    if (one instanceof HTMLTextAreaElement) return one.value !== one.defaultValue
    return one.value !== one.defaultValue || one.checked !== one.defaultChecked
  }

  const isText = (one: Control): one is HTMLInputElement | HTMLTextAreaElement =>
    one.matches('textarea, input:not([type=checkbox], [type=radio])')

  // The text in a form that's shown again isn't stored, so it counts as typed.
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-unsaved]')) {
    if (form.matches('.note-form')) continue
    for (const one of [...form.elements].filter(isControl).filter(isText)) {
      const { value } = one
      one.defaultValue = ''
      one.value = value
    }
  }

  /** Makes a form's values its defaults, because they were sent. */
  function markSent(form: HTMLFormElement): void {
    for (const one of [...form.elements].filter(isControl)) {
      if (one instanceof HTMLSelectElement) {
        for (const option of one.options) option.defaultSelected = option.selected
        continue
      }
      one.defaultValue = one.value
      if (one instanceof HTMLInputElement) one.defaultChecked = one.checked
    }
  }

  const forms = () =>
    [...document.querySelectorAll<HTMLFormElement>('form[method=post]:not(.note-form)')].filter(
      form => form.closest('main') !== null,
    )

  /** Whether a decision is on its way. It replaces what was entered for other decisions. */
  let isDeciding = false

  const isMessage = (one: Control) => one instanceof HTMLTextAreaElement && one.name === 'body'

  const losesText = () =>
    document.querySelector('.note-form[data-unsaved]') !== null ||
    forms()
      .flatMap(form => [...form.elements].filter(isControl))
      .some(one => (!isDeciding || isMessage(one)) && isChanged(one))

  window.addEventListener('submit', event => {
    const { target: form, defaultPrevented } = event
    if (defaultPrevented || !(form instanceof HTMLFormElement)) return
    isDeciding = form.closest('.panel') !== null
    markSent(form)
  })
  // The page stayed, or was returned to.
  for (const event of ['pointerdown', 'keydown', 'pageshow']) {
    window.addEventListener(event, () => (isDeciding = false), true)
  }

  window.addEventListener('beforeunload', event => {
    const isInCall = document.querySelector('[data-in-call]') !== null
    if (isInCall || losesText()) event.preventDefault()
  })
}
