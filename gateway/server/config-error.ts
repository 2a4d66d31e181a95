/** An invalid environment variable; the message is one sentence for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
