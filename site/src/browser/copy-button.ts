// A button that copies a text, and says for a moment whether it could.

export const shownMilliseconds = 2000

/**
 * The button's words stand in a live region, because it keeps the focus: what changes is read out.
 * `onFailure` runs where the browser refuses, which it does without a secure connection.
 */
export function copyOnClick(
  button: HTMLElement,
  text: () => string | Promise<string>,
  onFailure: () => void = () => {},
): void {
  const words = button.querySelector('[aria-live]') ?? button
  const name = words.textContent
  button.addEventListener('click', async () => {
    const isCopied = await copy(text)
    words.textContent = isCopied ? 'Copied' : 'Couldn’t copy'
    if (!isCopied) onFailure()
    setTimeout(() => (words.textContent = name), shownMilliseconds)
  })
}

/**
 * The item is made before a fetched text is there, because some browsers let a page write to the
 * clipboard only while it handles the click.
 */
async function copy(text: () => string | Promise<string>): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard === undefined) return false
  const plain = Promise.resolve(text()).then(words => new Blob([words], { type: 'text/plain' }))
  return clipboard.write([new ClipboardItem({ 'text/plain': plain })]).then(
    () => true,
    () => false,
  )
}
