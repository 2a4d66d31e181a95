// Inserts saved replies, previews what a patient will read, and saves a note's draft while it's
// typed and when the page is left. This file is served alone and imports nothing.
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
  /** Leaving the page would end a call. */
  const isCall = draft?.closest('[data-stays]') != null
  const saveDelayMs = 1000
  const retryDelayMs = 5000
  const timeoutMs = 20_000
  /** How many times the form was edited, and how many of the edits are stored. A form that was
   *  shown again contains edits that aren't. */
  let [edits, storedEdits] = [draft?.dataset['unsaved'] === undefined ? 0 : 1, 0]
  const isStored = () => storedEdits === edits
  let saving: ReturnType<typeof setTimeout> | undefined
  let [isSaving, isFailing] = [false, false]
  /** Whether a form that signs the draft is on its way, so a save would start another draft. */
  let isSigning = false

  /** The codes field, its last stored value, and its last value that wasn't still being typed. */
  const codes = document.querySelector<HTMLInputElement>('#note-codes')
  let savedCodes = codes?.value ?? ''
  let completeCodes = savedCodes

  /** `refused`: the entries are wrong. `locked`: the person must sign in or confirm their identity
   *  first. `changed`: another window saved or signed the note. */
  type Outcome = {
    readonly status: 'saved' | 'refused' | 'locked' | 'changed' | 'failed'
    readonly reason: string
  }

  /** Whether the text isn't based on the stored note, so only the person may save it. */
  let isChanged = draft?.querySelector('[data-changed]') != null

  /** A save whose response hasn't arrived. It may be stored. */
  let unconfirmed: URLSearchParams | null = null

  function bodyOf(form: HTMLFormElement, sentCodes: string): URLSearchParams {
    const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)])
    const body = new URLSearchParams(fields)
    body.set('codes', sentCodes)
    const earlier = unconfirmed?.get('body') ?? null
    if (earlier !== null) body.set('unconfirmed', earlier)
    return body
  }

  async function store(form: HTMLFormElement, sentCodes: string): Promise<Outcome> {
    // The version of the stored note is known again once this save is repeated.
    if (unconfirmed !== null) {
      unconfirmed.set('form', bodyOf(form, sentCodes).get('form') ?? '')
      const outcome = await send(form, unconfirmed)
      if (outcome.status !== 'saved' && outcome.status !== 'refused') return outcome
    }
    const outcome = await send(form, bodyOf(form, sentCodes))
    if (outcome.status === 'saved') savedCodes = sentCodes
    return outcome
  }

  async function send(form: HTMLFormElement, body: URLSearchParams): Promise<Outcome> {
    unconfirmed = body
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = { 'x-autosave': '1' }
    const options = { method: 'POST', body, headers, redirect: 'manual', signal } as const
    const answer = await fetch(form.action, options).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (!answer || text == null) return { status: 'failed', reason: 'Check your connection.' }
    if (answer.ok) keepVersion(text)
    if (answer.status < 500) unconfirmed = null
    if (answer.ok) return { status: 'saved', reason: '' }
    if (answer.status === 403) return { status: 'locked', reason: '' }
    isChanged = answer.status === 409
    const status = isChanged ? 'changed' : [400, 422].includes(answer.status) ? 'refused' : 'failed'
    return { status, reason: reasonIn(text) }
  }

  /** Later saves, signatures and decisions are based on the stored draft. */
  function keepVersion(text: string): void {
    const { version } = JSON.parse(text) as { version: string }
    const fields = 'input[name=note_version], .note-form input[name=version]'
    for (const field of document.querySelectorAll<HTMLInputElement>(fields)) field.value = version
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
    if (draft === null || isStored() || isSigning) return 'saved'
    if (isChanged) return 'changed'
    isSaving = true
    const status = await saveEdits(draft, isAutomatic)
    isSaving = false
    return status
  }

  async function saveEdits(form: HTMLFormElement, isAutomatic: boolean) {
    const sentEdits = edits
    const current = codes?.value ?? ''
    const isTyping = isAutomatic && codes === document.activeElement
    const sent = isTyping ? completeCodes : current
    completeCodes = sent
    const { status, reason } = await store(form, sent)
    isFailing = status !== 'saved'
    if (status === 'saved' && sent === current) storedEdits = sentEdits
    markUnsaved()
    if (status === 'saved') say('Draft saved')
    else if (status === 'locked') say('Draft not saved.', 'Confirm it’s you')
    else if (status === 'changed')
      say('Draft not saved. This note was changed in another window.', 'Compare')
    else say(`Draft not saved. ${reason}`)
    if (status === 'refused') {
      completeCodes = savedCodes
      if (isAutomatic && sent !== savedCodes) await saveWithoutCodes(form, reason)
    } else if (status === 'failed') saveIn(retryDelayMs)
    return status
  }

  async function saveWithoutCodes(form: HTMLFormElement, reason: string): Promise<void> {
    const { status } = await store(form, savedCodes)
    if (status === 'saved') say(`Draft saved without the changed codes. ${reason}`)
  }

  /** For `leaving.ts`, which asks before a page with an unsaved draft is left. */
  const markUnsaved = () => draft?.toggleAttribute('data-unsaved', isFailing && !isStored())

  /** `send` is the label of a button that sends the form, so the next page asks the person. */
  function say(text: string, send?: string): void {
    const status = draft?.querySelector('[data-saved]')
    if (!status) return
    status.textContent = text.trim()
    if (send === undefined) return
    const button = document.createElement('button')
    button.className = 'button second small'
    button.textContent = send
    if (isCall) button.formTarget = '_blank'
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
  draft?.addEventListener('input', saveLater)
  draft?.addEventListener('change', saveLater)
  // The person signed in again (work.ts).
  document.addEventListener('session-renewed', () => saveIn(0))
  if (!isStored()) saveIn(0)

  // Sending a form -------------------------------------------------------------------------------

  /** A form that's sent as it is: the draft is stored, being signed, or can't be stored. */
  let passing: HTMLFormElement | null = null

  function pass(form: HTMLFormElement, submitter: HTMLElement | null): void {
    passing = form
    form.requestSubmit(submitter)
    passing = null
  }

  /** Sends a form once the draft is stored, because a decision signs the draft. */
  async function sendAfterDraft(form: HTMLFormElement, submitter: HTMLElement | null) {
    const status = await saveDraft()
    const tab = document.querySelector<HTMLInputElement>('#tab-writeNote')
    if (status === 'locked' && !isCall) return sendLocked()
    if (status !== 'saved' && tab !== null) {
      tab.click()
      return status === 'refused' ? codes?.focus() : undefined
    }
    if (status === 'saved' && !isStored()) return form.requestSubmit(submitter)
    pass(form, submitter)
  }

  /** The next page asks the person to confirm, and keeps the text. */
  function sendLocked(): void {
    if (draft === null) return
    expectLeaving()
    draft.submit()
  }

  document.addEventListener(
    'submit',
    event => {
      const { target: form } = event
      if (!(form instanceof HTMLFormElement) || form === passing || isSigning) return
      const submitter = event.submitter as HTMLElement | null
      // In a call, the form has no button, so a key sent it.
      const isKey = form === draft && isCall && submitter === null
      if (!isKey && (form === draft ? !isSaving : isStored())) return
      event.preventDefault()
      event.stopImmediatePropagation()
      if (isKey) void saveDraft()
      else if (form === draft) void lastSave.then(() => pass(form, submitter))
      else void sendAfterDraft(form, submitter)
    },
    true,
  )

  let expiring: ReturnType<typeof setTimeout> | undefined

  /** Saves nothing until the next page opens, or again if it never does. */
  function expectLeaving(): void {
    const stored = storedEdits
    clearTimeout(saving)
    clearTimeout(expiring)
    isSigning = true
    storedEdits = edits
    draft?.removeAttribute('data-unsaved')
    expiring = setTimeout(() => {
      isSigning = false
      storedEdits = stored
      saveIn(0)
    }, timeoutMs)
  }

  window.addEventListener('submit', ({ defaultPrevented, target, submitter }) => {
    const opensTab = submitter instanceof HTMLButtonElement && submitter.formTarget === '_blank'
    if (defaultPrevented || opensTab || !(target instanceof HTMLFormElement)) return
    if (target === draft || target.closest('.panel') !== null) expectLeaving()
  })
  // The page was returned to.
  window.addEventListener('pageshow', () => {
    clearTimeout(expiring)
    isSigning = false
  })

  window.addEventListener('pagehide', () => {
    if (draft === null || isStored() || isChanged) return
    const leave = (sent: string) => navigator.sendBeacon(draft.action, bodyOf(draft, sent))
    leave(completeCodes)
    // Those codes may be refused, and the text with them. Otherwise, this is refused.
    const isTextSent = bodyOf(draft, '').get('body') === unconfirmed?.get('body')
    if (completeCodes !== savedCodes && !isTextSent) leave(savedCodes)
  })
}
