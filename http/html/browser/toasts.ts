// Removes a toast when the reader dismisses it, or after eight seconds. Without scripts, the toast
// stays until the next page. This file is served whole and imports nothing.

const toastMs = 8000

/** A hovered or focused toast stays longer. */
for (const toast of document.querySelectorAll<HTMLElement>('.toast')) {
  const timer = setInterval(() => {
    if (toast.matches(':hover, :focus-within')) return
    clearInterval(timer)
    toast.remove()
  }, toastMs)
  const close = toast.querySelector<HTMLButtonElement>('[data-dismiss]')
  if (close === null) continue
  close.hidden = false
  close.addEventListener('click', () => toast.remove())
}
