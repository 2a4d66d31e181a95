// Sends the answer to “Was this page helpful?” without leaving the page.

const failed = 'Couldn’t send your answer. Try again in a minute.'

export function watchFeedback(): void {
  const form = document.querySelector<HTMLFormElement>('form.feedback')
  const status = form?.querySelector<HTMLElement>('[role=status]')
  if (!form || !status) return
  const thanks = status.textContent
  form.addEventListener('submit', event => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(form, event.submitter))
    void send(form.action, values).then(isCounted => {
      form.dataset['state'] = isCounted ? 'sent' : 'failed'
      status.textContent = isCounted ? thanks : failed
      if (isCounted) status.focus()
    })
  })
}

const send = (address: string, values: object): Promise<boolean> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(values),
  }).then(
    ({ ok }) => ok,
    () => false,
  )
