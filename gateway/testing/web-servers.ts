// The web servers that may be installed on this machine.
import { existsSync } from 'node:fs'
import { until } from '#http/testing/until.ts'

export const nginx = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find(
  existsSync,
)
export const caddy = ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'].find(
  existsSync,
)

export async function untilItAnswers(url: string): Promise<void> {
  await until(() =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  )
}
