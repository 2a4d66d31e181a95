// `npm run edge`: what it refuses before it writes anything, and which build it serves.
import { expect, test } from 'bun:test'
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { writeSampleSite } from '../testing/site.ts'

/** Without a build in `site`, the command must not get as far as building one. */
async function edge(site: string, ...args: string[]) {
  const command = [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'edge', ...args]
  const env = { PATH: process.env['PATH'], DATA_DIR: site, SITE_DIR: site }
  const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
  const problem = await new Response(child.stderr).text()
  return { code: await child.exited, problem }
}

test('edge: a certificate or key that doesn’t exist is named, and nothing is written', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'edge-'))
  const [out, certificate, key] = ['out', 'chain.pem', 'key.pem'].map(name =>
    path.join(folder, name),
  ) as [string, string, string]
  const write = async () => {
    const files = [`--out=${out}`, `--certificate=${certificate}`, `--key=${key}`]
    return { ...(await edge(folder, ...files)), isWritten: existsSync(out) }
  }
  const refusal = (file: string) => ({
    code: 1,
    problem: `${file} doesn't exist, or this account can't see it.\n`,
    isWritten: false,
  })
  expect(await write()).toEqual(refusal(certificate))
  writeFileSync(certificate, '')
  expect(await write()).toEqual(refusal(key))
  rmSync(folder, { recursive: true })
})

test('edge: nginx and Caddy serve the build they have the table of, even if the link moves', async () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'edge-')))
  const build = realpathSync(writeSampleSite())
  const [current, out] = [path.join(folder, 'current'), path.join(folder, 'out')]
  symlinkSync(build, current)
  expect(await edge(current, `--out=${out}`)).toEqual({ code: 0, problem: '' })
  const roots = ['nginx.conf', 'Caddyfile'].map(
    name => /^ *root .*"(.+)"/m.exec(readFileSync(path.join(out, name), 'utf8'))?.[1],
  )
  expect(roots).toEqual([build, build])
  for (const each of [folder, build]) rmSync(each, { recursive: true })
})
