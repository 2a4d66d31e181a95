/** An operation's method, in lists and on its page. The color only repeats the word. */
export const methodBadge = (method: string): string =>
  `<span class="method method-${method.toLowerCase()}">${method}</span>`
