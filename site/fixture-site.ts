import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const house = join(import.meta.dir, '..')
const left = /^(dist|dist\..*|\.astro|node_modules)$/

/** A copy of what a site is built from, for a test that changes content and builds. */
export async function copySources(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'house-'))
  const isSource = (from: string) => !left.test(from.slice(from.lastIndexOf('/') + 1))
  for (const room of ['content', 'site', 'contract']) {
    await cp(join(house, room), join(root, room), { recursive: true, filter: isSource })
  }
  for (const file of ['package.json', 'CHANGELOG.md']) await cp(join(house, file), join(root, file))
  await symlink(join(house, 'node_modules'), join(root, 'node_modules'))
  return root
}

/** Builds the copy as the house builds itself, and answers with what the build said. */
export async function buildCopy(root: string): Promise<{ code: number; said: string }> {
  const command = [process.execPath, '--bun', join(root, 'site', 'build.ts')]
  const child = Bun.spawn(command, { cwd: root, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, said: out + error }
}

export const removeCopy = (root: string) => rm(root, { recursive: true })
