// Locales that the machine lacks, such as those that an SSH client passes on. Each shell that a
// test starts would warn about them.
import { spawnSync } from 'node:child_process'

/** If a shell warns about the locale, leaves it to `LANG`, which JavaScript reads and no shell
 *  warns about. */
export function leaveMissingLocale(env) {
  const { stderr } = spawnSync('bash', ['-c', ':'], { env, encoding: 'utf8' })
  if (!stderr) return
  if (env.LC_ALL) env.LANG = env.LC_ALL
  for (const name of Object.keys(env)) if (name.startsWith('LC_')) delete env[name]
}
