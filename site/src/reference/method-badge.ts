/** An operation's method, in lists and on its page. The color repeats what the word says. */
export const methodBadge = (method: string): string =>
  `<span class="method method-${method.toLowerCase()}">${method}</span>`
