/** The browser's storage, or null: a person may forbid it, and pages work without it. */
export function stored(kind: 'local' | 'session', name: string): string | null {
  try {
    return areaOf(kind).getItem(name)
  } catch {
    return null
  }
}

export function store(kind: 'local' | 'session', name: string, value: string): void {
  try {
    areaOf(kind).setItem(name, value)
  } catch {
    // Nothing is stored.
  }
}

const areaOf = (kind: 'local' | 'session') => (kind === 'local' ? localStorage : sessionStorage)
