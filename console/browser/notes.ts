// Inserts saved replies, previews what a patient will read, saves a note's draft while it's typed,
// and asks before someone leaves a page with unsaved text or a call. This file is served alone and
// imports nothing.
{
  for (const one of document.querySelectorAll<HTMLElement>('.insert')) one.hidden = false

  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-insert]') : null
    const field = document.getElementById(button?.dataset['into'] ?? '')
    if (button === null || !(field instanceof HTMLTextAreaElement)) return
    const before = field.value.trimEnd()
    field.value = `${before}${before === '' ? '' : '\n\n'}${button.dataset['insert']}`
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.focus()
  })

  /** Previews text as its reader will see it, next to the field where it's typed. */
  for (const shown of document.querySelectorAll<HTMLElement>('[data-shows]')) {
    const field = document.getElementById(shown.dataset['shows'] ?? '')
    if (!(field instanceof HTMLTextAreaElement)) continue
    const show = () => {
      shown.hidden = field.value.trim() === ''
      const text = shown.querySelector('.lines')
      if (text !== null) text.textContent = field.value.trim()
    }
    field.addEventListener('input', show)
    show()
  }

  // A note's draft -------------------------------------------------------------------------------

  const draft = document.querySelector<HTMLFormElement>('.note-form')
  const saveDelayMs = 1000
  const retryDelayMs = 5000
  const timeoutMs = 20_000
  /** How many times the form was edited, and how many of the edits are stored. */
  let [edits, storedEdits] = [0, 0]
  const isStored = () => storedEdits === edits
  let saving: ReturnType<typeof setTimeout> | undefined
  /** Whether the last save failed. */
  let isFailing = false
  /** Whether a form is on its way, which sends the text or was sent after the text was stored. */
  let isSending = false

  /** The codes field, its last stored value, and its last value that wasn't still being typed. */
  const codes = document.querySelector<HTMLInputElement>('#note-codes')
  let savedCodes = codes?.value ?? ''
  let completeCodes = savedCodes

  /** `refused`: the entries are wrong. `locked`: the person must sign in or confirm their identity
   *  first. */
  type Outcome = {
    readonly status: 'saved' | 'refused' | 'locked' | 'failed'
    readonly reason: string
  }

  function bodyOf(form: HTMLFormElement, sentCodes: string): URLSearchParams {
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
    const body = new URLSearchParams(fields)
    body.set('codes', sentCodes)
    return body
  }

  async function store(form: HTMLFormElement, sentCodes: string): Promise<Outcome> {
    const body = bodyOf(form, sentCodes)
    const signal = AbortSignal.timeout(timeoutMs)
    const options = { method: 'POST', body, redirect: 'manual', signal } as const
    const answer = await fetch(form.action, options).catch(() => null)
    if (answer === null) return { status: 'failed', reason: 'Check your connection.' }
    if (answer.type === 'opaqueredirect') {
      savedCodes = sentCodes
      return { status: 'saved', reason: '' }
    }
    const reason = reasonIn(await answer.text().catch(() => ''))
    if (answer.status === 403) return { status: 'locked', reason }
    return { status: [400, 422].includes(answer.status) ? 'refused' : 'failed', reason }
  }

  function reasonIn(text: string): string {
    const page = new DOMParser().parseFromString(text, 'text/html')
    const reason = page.querySelector('.alert, .note-form .fault') ?? page.querySelector('h1')
    return reason?.textContent.trim() ?? ''
  }

  /** One save at a time, so earlier text never replaces later text. */
  let lastSave: Promise<Outcome['status']> = Promise.resolve('saved')

  /** Stores the draft without leaving the page. An automatic save leaves out wrong codes, and a
   *  code that's still being typed. */
  function saveDraft(isAutomatic = false): Promise<Outcome['status']> {
    lastSave = lastSave.then(() => saveNow(isAutomatic))
    return lastSave
  }

  async function saveNow(isAutomatic: boolean): Promise<Outcome['status']> {
    clearTimeout(saving)
    if (draft === null || isStored()) return 'saved'
    const sentEdits = edits
    const current = codes?.value ?? ''
    const isTyping = isAutomatic && codes === document.activeElement
    const sent = isTyping ? completeCodes : current
    completeCodes = sent
    const { status, reason } = await store(draft, sent)
    isFailing = status !== 'saved'
    if (status === 'saved' && sent === current) storedEdits = sentEdits
    if (status === 'saved') say('Draft saved')
    else if (status === 'locked') say('Draft not saved.', reason)
    else say(`Draft not saved. ${reason}`)
    if (status === 'refused') {
      completeCodes = savedCodes
      if (isAutomatic && sent !== savedCodes) await saveWithoutCodes(draft, reason)
    } else if (status === 'failed') saveIn(retryDelayMs)
    return status
  }

  async function saveWithoutCodes(form: HTMLFormElement, reason: string): Promise<void> {
    const { status } = await store(form, savedCodes)
    if (status === 'saved') say(`Draft saved without the changed codes. ${reason}`)
  }

  /** `send` is the label of a button that sends the form, so the next page asks the person. */
  function say(text: string, send?: string): void {
    const status = draft?.querySelector('[data-saved]')
    if (!status) return
    status.textContent = text.trim()
    if (send === undefined) return
    const button = document.createElement('button')
    button.className = 'button second small'
    button.textContent = send
    // The page shows a call.
    if (draft?.closest('[data-stays]')) button.formTarget = '_blank'
    status.append(' ', button)
  }

  function saveIn(milliseconds: number): void {
    clearTimeout(saving)
    saving = setTimeout(() => void saveDraft(true), milliseconds)
  }

  const saveLater = ({ target, type }: Event) => {
    if (target instanceof HTMLInputElement && target.name === 'code') return
    edits++
    // A code is complete when its field loses focus.
    if (type === 'input' && target === codes && codes === document.activeElement) return
    if (target === codes) completeCodes = codes?.value ?? ''
    saveIn(saveDelayMs)
  }
  document.addEventListener('visibilitychange', () => {
    // The person may have confirmed their identity in another tab.
    if (!document.hidden && isFailing && !isStored()) saveIn(0)
  })
  draft?.addEventListener('input', saveLater)
  draft?.addEventListener('change', saveLater)

  /** A form that's sent although the draft couldn't be saved. */
  let passing: HTMLFormElement | null = null

  /** A decision signs the draft, so it's sent once the last typed text is stored. */
  document.addEventListener(
    'submit',
    event => {
      const { target: form, submitter } = event
      if (!(form instanceof HTMLFormElement) || isStored()) return
      if (form === draft || form === passing) return
      event.preventDefault()
      event.stopImmediatePropagation()
      void saveDraft().then(status => {
        const tab = document.querySelector<HTMLInputElement>('#tab-writeNote')
        // The next page asks the person to confirm, and keeps the text.
        if (status === 'locked') {
          isSending = true
          return draft?.submit()
        }
        if (status !== 'saved' && tab !== null) {
          tab.click()
          return status === 'refused' ? codes?.focus() : undefined
        }
        if (status !== 'saved') passing = form
        form.requestSubmit(submitter)
        passing = null
      })
    },
    true,
  )

  // Leaving the page ------------------------------------------------------------------------------

  window.addEventListener('submit', ({ defaultPrevented, submitter }) => {
    const opensTab = submitter instanceof HTMLButtonElement && submitter.formTarget === '_blank'
    isSending = !defaultPrevented && !opensTab
  })
  /** Whether leaving ends a call or loses text: a draft that can't be saved, or text that's only on
   *  this page. */
  const losesSomething = () =>
    document.querySelector('[data-in-call]') !== null ||
    (isFailing && !isStored()) ||
    [...document.querySelectorAll('textarea')].some(
      one => one.form !== draft && one.value !== one.defaultValue,
    )
  window.addEventListener('beforeunload', event => {
    if (!isSending && losesSomething()) event.preventDefault()
  })
  window.addEventListener('pagehide', () => {
    if (draft === null || isStored() || isSending) return
    navigator.sendBeacon(draft.action, bodyOf(draft, completeCodes))
  })
  // The page stayed, for example because the response was a download, or was returned to.
  for (const event of ['input', 'pageshow']) {
    window.addEventListener(event, () => (isSending = false))
  }
}
