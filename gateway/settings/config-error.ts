/** An invalid environment variable; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

export function wrong(name: string, must: string, value: string): ConfigError {
  return new ConfigError(`${name} must be ${must}, but is ${JSON.stringify(value)}`)
}

/** A URL's origin. Throws if the URL has a path. */
export function originOf(name: string, value: string, example: string): string {
  const parsed = URL.parse(value)
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && isBare(parsed)) return parsed.origin
  throw wrong(name, `a URL without a path, such as ${example}`, value)
}

export function isBare({ pathname, search, hash, username, password }: URL): boolean {
  return pathname === '/' && `${search}${hash}${username}${password}` === ''
}
