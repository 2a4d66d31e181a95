// Statuses as people read them: `in_review` is In review. The API keeps its own spelling.

/** Spells `canceled` the American way; every other status only loses its underscores. */
export function statusWord(status: string): string {
  const words = status.replaceAll('_', ' ').replace('cancelled', 'canceled')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
