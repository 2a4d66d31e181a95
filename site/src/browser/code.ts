// Adds a copy button to each code block, and keeps the reader's chosen language or place across
// pages. The script creates the buttons, so pages without scripts have no dead buttons.
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
      // A block without this language stays as is.
      for (const other of choices) if (other.value === choice.value) other.checked = true
      store('local', choice.name === 'place' ? 'place' : 'code-language', choice.value)
    })
  }
  openLinkedTab()
  addEventListener('hashchange', openLinkedTab)
}

/** Opens the tab that the URL's fragment names. */
function openLinkedTab(): void {
  const label = document.getElementById(location.hash.slice(1))
  if (label instanceof HTMLLabelElement && label.control instanceof HTMLInputElement) {
    label.control.checked = true
  }
}

function copyButton(block: Element): HTMLButtonElement {
  const button = document.createElement('button')
  const name = button.appendChild(document.createElement('span'))
  button.type = 'button'
  button.className = 'code-copy'
  name.setAttribute('aria-live', 'polite')
  name.textContent = 'Copy'
  // Copies the code in the visible language.
  const shown = () =>
    [...block.querySelectorAll<HTMLElement>('pre.code')].find(pre => pre.offsetParent !== null)
  copyOnClick(
    button,
    () => `${shown()?.textContent.trimEnd() ?? ''}\n`,
    () => getSelection()?.selectAllChildren(shown() ?? block),
  )
  return button
}
