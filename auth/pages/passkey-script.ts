// The one script of the pages: it asks the browser for a passkey, and sends what it answers as a
// form. Where there is no script, or no passkeys, its buttons are not shown; a password and a code
// sign in as well.

export const passkeyScript = `'use strict'
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const { startAuthentication, startRegistration, browserSupportsWebAuthn } = SimpleWebAuthnBrowser
  if (!browserSupportsWebAuthn()) continue
  form.hidden = false
  const problem = form.querySelector('[role=alert]')
  form.addEventListener('submit', event => {
    event.preventDefault()
    problem.textContent = ''
    const optionsJSON = JSON.parse(form.dataset.options)
    const start = form.dataset.passkey === 'add' ? startRegistration : startAuthentication
    const send = answer => {
      form.elements.answer.value = JSON.stringify(answer)
      form.submit()
    }
    const explain = failure => {
      problem.textContent = failure.name === 'InvalidStateError'
        ? 'This passkey is on your account already.'
        : 'The browser gave no passkey. Try again, or use another way.'
    }
    start({ optionsJSON }).then(send, explain)
  })
}
`
