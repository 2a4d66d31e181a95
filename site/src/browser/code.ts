// A button that copies each block of code, and the language that was chosen, on every page. The
// buttons are made here, so a page without scripts has none that does nothing.
import { copyOnClick } from './copy-button.ts'
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
  button.type = 'button'
  button.className = 'code-copy'
  name.setAttribute('aria-live', 'polite')
  name.textContent = 'Copy'
  // Of several languages, the one that is shown.
  const shown = () =>
    [...block.querySelectorAll<HTMLElement>('pre.code')].find(pre => pre.offsetParent !== null)
  copyOnClick(
    button,
    () => `${shown()?.textContent.trimEnd() ?? ''}\n`,
    () => getSelection()?.selectAllChildren(shown() ?? block),
  )
  return button
}
