/** Reads the browser's storage. Returns null if the value is missing or storage is blocked. */
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
    // Storage is blocked. Pages work without it.
  }
}

const areaOf = (kind: 'local' | 'session') => (kind === 'local' ? localStorage : sessionStorage)
