// `npm run edge`: what it refuses before it writes anything.
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

test('edge: a certificate or key that doesn’t exist is named, and nothing is written', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'edge-'))
  const [out, certificate, key] = ['out', 'chain.pem', 'key.pem'].map(name =>
    path.join(folder, name),
  ) as [string, string, string]
  const edge = async () => {
    const files = [`--out=${out}`, `--certificate=${certificate}`, `--key=${key}`]
    const command = [process.execPath, path.join(import.meta.dir, 'admin.ts'), 'edge', ...files]
    // Without a build, the command must not get as far as building one.
    const env = { PATH: process.env['PATH'], DATA_DIR: folder, SITE_DIR: folder }
    const child = Bun.spawn(command, { env, stdout: 'pipe', stderr: 'pipe' })
    const problem = await new Response(child.stderr).text()
    return { code: await child.exited, problem, isWritten: existsSync(out) }
  }
  const refusal = (file: string) => ({
    code: 1,
    problem: `${file} doesn't exist, or this account can't see it.\n`,
    isWritten: false,
  })
  expect(await edge()).toEqual(refusal(certificate))
  writeFileSync(certificate, '')
  expect(await edge()).toEqual(refusal(key))
  rmSync(folder, { recursive: true })
})
