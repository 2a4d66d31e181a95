/** A value in the environment that we cannot use, in one sentence for whoever set it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}
