// The runtime features that the library uses: environment, time, randomness and the runtime's name.

type Global = {
  process?: {
    env?: Record<string, string | undefined>
    versions?: Record<string, string | undefined>
    emitWarning?: (text: string, type: string) => void
  }
  Bun?: { version: string }
  Deno?: { version: { deno: string }; createHttpClient?: (options: object) => unknown }
  document?: unknown
  window?: unknown
  navigator?: { userAgent?: string }
}

// Every property is optional because runtimes differ, whatever the installed types say.
export const runtime = globalThis as unknown as Global

/** An environment variable; undefined if it isn't set or can't be read. */
export function environment(name: string): string | undefined {
  try {
    // A value from an .env file may end with a carriage return.
    return runtime.process?.env?.[name]?.trim() || undefined
  } catch {
    // Deno throws without permission to read the environment.
    return undefined
  }
}

export const now = (): number => Date.now()

/** Measures durations. Unlike `now`, it doesn't jump when the system clock changes. */
export const elapsed = (): number => performance.now()

export const random = (): number => Math.random()

export const uuid = (): string => crypto.randomUUID()

/** Whether this is a name or address of this machine, as written in a URL. */
export const isLoopback = (host: string): boolean =>
  /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host)

/** Whether this code runs in a browser page, whose visitors can read a secret key. */
export const isBrowser = (): boolean =>
  runtime.window !== undefined && runtime.document !== undefined

export function runtimeName(): string {
  if (runtime.Bun) return `bun/${runtime.Bun.version}`
  if (runtime.Deno) return `deno/${runtime.Deno.version.deno}`
  const node = runtime.process?.versions?.['node']
  if (node !== undefined) return `node/${node}`
  return runtime.navigator?.userAgent === 'Cloudflare-Workers' ? 'workerd' : 'other'
}

/** Rejects early, with the signal's reason, if the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, milliseconds)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
