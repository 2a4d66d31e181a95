// The web servers that may be installed on this machine.
import { existsSync } from 'node:fs'

export const nginx = ['/usr/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'].find(
  existsSync,
)
export const caddy = ['/usr/bin/caddy', '/usr/local/bin/caddy', '/opt/homebrew/bin/caddy'].find(
  existsSync,
)

export async function untilItAnswers(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await Bun.sleep(50)
  }
  throw new Error(`nothing answers at ${url}`)
}
