// Sends a form once when its button is double-clicked. This file is served whole and imports
// nothing.

const doubleClickMs = 1000
let sent: { form: EventTarget | null; at: number } | null = null

/** A double click sends a form once, because the second response would hide the first. */
window.addEventListener('submit', event => {
  const { target: form, defaultPrevented } = event
  if (defaultPrevented || !(form instanceof HTMLFormElement) || form.method !== 'post') return
  const at = performance.now()
  if (sent?.form === form && at - sent.at < doubleClickMs) event.preventDefault()
  else sent = { form, at }
})
// The page stayed, or was returned to.
for (const event of ['input', 'pageshow']) {
  window.addEventListener(event, () => (sent = null))
}
