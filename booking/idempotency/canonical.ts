/**
 * One text for all JSON that says the same (RFC 8785): names are sorted, numbers are written one
 * way, lists keep their order, and a null is not an absence. The value was parsed, so it is
 * bounded.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const members = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`)
  return `{${members.join()}}`
}
