// Copies the Markdown version of a page, and the address of a heading.

const shownMilliseconds = 2000

export function watchCopying(): void {
  for (const button of document.querySelectorAll<HTMLElement>('[data-copy-page]')) {
    const words = button.textContent
    const status = button.parentElement?.querySelector('[role=status]')
    const say = (text: string) => {
      button.textContent = text
      if (status) status.textContent = text
      setTimeout(() => {
        button.textContent = words
        if (status) status.textContent = ''
      }, shownMilliseconds)
    }
    button.addEventListener('click', () => {
      void copyFrom(button.dataset['copyPage'] ?? '').then(isCopied =>
        say(isCopied ? 'Copied' : 'Could not copy'),
      )
    })
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

/**
 * The item is made before the answer is there, because some browsers let a page write to the
 * clipboard only while it handles the click.
 */
async function copyFrom(address: string): Promise<boolean> {
  const text = fetch(address).then(answer => {
    if (!answer.ok) throw new Error(`${address} answered ${answer.status}`)
    return answer.blob()
  })
  const plain = text.then(blob => new Blob([blob], { type: 'text/plain' }))
  const written = navigator.clipboard?.write([new ClipboardItem({ 'text/plain': plain })])
  return (written ?? Promise.reject(new Error('no clipboard'))).then(
    () => true,
    () => false,
  )
}
