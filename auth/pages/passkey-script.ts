// The pages' own script, beside the shared one. It requests a passkey from the browser and sends
// the result as a form, reveals passwords, and shows times in the reader's time zone. Without
// scripts or passkeys, its controls stay hidden, and a password with a code still works.

export const passkeyScript = `'use strict'
for (const label of document.querySelectorAll('[data-reveal]')) {
  label.hidden = false
  label.firstElementChild.addEventListener('change', ({ target }) => {
    document.getElementById(label.dataset.reveal).type = target.checked ? 'text' : 'password'
  })
}
const zoned = new Intl.DateTimeFormat(undefined, {
  year: 'numeric', month: 'long', day: 'numeric',
  hour: 'numeric', minute: '2-digit', timeZoneName: 'short',
})
for (const time of document.querySelectorAll('time[data-zoned]')) {
  time.textContent = zoned.format(new Date(time.dateTime)).replace(/\\s(?=[AP]M|\\S+$)/g, '\\u00a0')
}
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { startAuthentication, startRegistration, browserSupportsWebAuthn } = SimpleWebAuthnBrowser
  if (!browserSupportsWebAuthn()) {
    for (const note of document.querySelectorAll('[data-unsupported]')) note.hidden = false
    continue
  }
  form.hidden = false
  const problem = form.querySelector('[role=alert]')
  // A second click would cancel the browser's request, or send its result twice.
  let isBusy = false
  addEventListener('pageshow', () => (isBusy = false))
  form.addEventListener('submit', event => {
    event.preventDefault()
    if (isBusy) return
    isBusy = true
    problem.textContent = ''
    const optionsJSON = JSON.parse(form.dataset.options)
    const isNew = form.dataset.passkey === 'add'
    const start = isNew ? startRegistration : startAuthentication
    const send = answer => {
      form.elements.answer.value = JSON.stringify(answer)
      form.submit()
    }
    const explain = failure => {
      isBusy = false
      problem.textContent = failure.name === 'InvalidStateError'
        ? 'This passkey is already on your account.'
        : isNew
          ? 'No passkey was added. Try again.'
          : 'Your browser didn’t return a passkey. Try again, or sign in another way.'
    }
    start({ optionsJSON }).then(send, explain)
  })
}
`
