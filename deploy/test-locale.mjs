// A locale that isn't installed, as when an SSH client passes on its own. Every shell that a test
// starts would print a warning.
import { spawnSync } from 'node:child_process'

/** If a shell warns about the locale, keeps it only in `LANG`, which JavaScript reads and shells
 *  don't warn about. */
export function dropMissingLocale(env) {
  const { stderr } = spawnSync('bash', ['-c', ':'], { env, encoding: 'utf8' })
  if (!stderr) return
  if (env.LC_ALL) env.LANG = env.LC_ALL
  for (const name of Object.keys(env)) if (name.startsWith('LC_')) delete env[name]
}
