import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dir, '..', '..')
const generated = /^(dist|dist\..*|\.astro|node_modules)$/

/** A copy of a site's sources, for a test that changes content and builds. */
export async function copySources(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'site-'))
  const isSource = (from: string) => !generated.test(from.slice(from.lastIndexOf('/') + 1))
  for (const folder of ['content', 'site', 'contract']) {
    await cp(join(root, folder), join(copy, folder), { recursive: true, filter: isSource })
  }
  // The last file defines the commands that a page may mention.
  const files = ['package.json', 'bun.lock', 'clients/cli/src/families.ts']
  for (const file of files) await cp(join(root, file), join(copy, file))
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

/** Builds the copy with the public command, and returns its output. */
export async function buildCopy(
  copy: string,
  ...words: string[]
): Promise<{ code: number; output: string }> {
  const command = [process.execPath, '--bun', join(copy, 'site', 'build', 'build.ts')]
  command.push(...words)
  const child = Bun.spawn(command, { cwd: copy, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, output: out + error }
}

export const removeCopy = (copy: string) => rm(copy, { recursive: true })
