// A button that copies each block of code, and the language that was chosen, on every page. The
// buttons are made here, so a page without scripts has none that does nothing.
import { store } from './storage.ts'

export function watchCode(): void {
  for (const head of document.querySelectorAll('.code-head, .code-tabs, .panel > .panel-label')) {
    const block = head.closest('.code-tabs, .code-block, .panel')
    if (block?.querySelector('pre.code')) head.append(copyButton(block))
  }
  const choices = [...document.querySelectorAll<HTMLInputElement>('.form-choice')]
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      // A block that is not written in the language stays as it is.
      for (const other of choices) if (other.value === choice.value) other.checked = true
      store('local', 'code-language', choice.value)
    })
  }
}

function copyButton(block: Element): HTMLButtonElement {
  const button = document.createElement('button')
  const name = button.appendChild(document.createElement('span'))
  const reset = () => (name.textContent = 'Copy')
  button.type = 'button'
  button.className = 'code-copy'
  // The result is read out, because the button keeps the focus.
  name.setAttribute('aria-live', 'polite')
  reset()
  button.addEventListener('click', async () => {
    // Of several languages, the one that is shown.
    const shown = [...block.querySelectorAll<HTMLElement>('pre.code')].find(
      pre => pre.offsetParent !== null,
    )
    const text = `${shown?.textContent.trimEnd() ?? ''}\n`
    // Without a secure connection there is no clipboard.
    const isCopied =
      (await navigator.clipboard?.writeText(text).then(
        () => true,
        () => false,
      )) ?? false
    name.textContent = isCopied ? 'Copied' : 'Not copied'
    if (!isCopied && shown) getSelection()?.selectAllChildren(shown)
    setTimeout(reset, 2000)
  })
  return button
}
