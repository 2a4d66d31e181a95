// A button that copies text and briefly shows whether it worked.

export const shownMilliseconds = 2000

/**
 * Makes a button copy text. The button's label is in a live region, because the button keeps the
 * focus and screen readers should read the changes. `onFailure` runs if the browser refuses, as it
 * does without a secure connection.
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
 * Creates the clipboard item before fetching its text, because some browsers let a page write to
 * the clipboard only while handling the click.
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
