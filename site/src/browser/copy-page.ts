// Copies a page's Markdown version, and a heading's URL.
import { copyOnClick, shownMilliseconds } from './copy-button.ts'

export function watchCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy-page]')) {
    copyOnClick(button, () => textOf(button.dataset['copyPage'] ?? ''))
  }
  document.addEventListener('click', ({ target }) => {
    const anchor = target instanceof Element ? target.closest<HTMLAnchorElement>('a.anchor') : null
    if (anchor) void navigator.clipboard?.writeText(anchor.href).then(() => showCopied(anchor))
  })
}

function showCopied(anchor: HTMLElement): void {
  anchor.dataset['copied'] = ''
  setTimeout(() => delete anchor.dataset['copied'], shownMilliseconds)
}

async function textOf(address: string): Promise<string> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${address} responded with ${answer.status}`)
  return answer.text()
}
