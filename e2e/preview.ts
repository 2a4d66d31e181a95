// A server without a database for the built site, for read-only checks.
import path from 'node:path'
import { root } from './servers.ts'

export type Preview = { url: string; stop(): void }

/** Serves `site/dist`, or another build, on a port that the system chooses. */
export async function openPreview(build = path.join('site', 'dist')): Promise<Preview> {
  const child = Bun.spawn(
    [process.execPath, 'gateway/commands/preview.ts', path.resolve(root, build)],
    {
      cwd: root,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    },
  )
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    const url = /"url":"([^"]+)"/.exec(output)?.[1]
    if (url !== undefined) return { url, stop: () => child.kill('SIGTERM') }
  }
  throw new Error(
    'The preview did not open; is the site built? `node deploy/run.mjs site/build/build.ts` builds it.',
  )
}
