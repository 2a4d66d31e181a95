/**
 * Returns the same text for equal JSON values (RFC 8785): names are sorted, numbers have one form,
 * lists keep their order, and null differs from absent. The parser's limit bounds the recursion.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
  return `{${members.join()}}`
}
