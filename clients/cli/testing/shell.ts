// Runs the installed program as a shell does.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Installed, installedCli } from './installed.ts'

export type Ran = { readonly code: number; readonly out: string; readonly err: string }

export type RunOptions = {
  readonly stdin?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Uses Bun instead of Node. */
  readonly bun?: boolean
}

/** A line's words. With `keep`, later lines can use its output, as with `KEEP=$(svc …)` and
 *  `$KEEP`. */
export type Line = readonly string[] | { keep: string; words: readonly string[] }

export type Shell = Awaited<ReturnType<typeof openShell>>

/**
 * Opens a shell with an empty home folder. All of the shell's commands run in the same environment.
 */
export async function openShell(env: Readonly<Record<string, string>>) {
  const installed: Installed = await installedCli()
  const home = mkdtempSync(path.join(tmpdir(), 'svc-home-'))
  const node = Bun.which('node') ?? 'node'
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, TZ: 'UTC', ...env }

  const started: { kill(): void }[] = []
  const start = (words: readonly string[], { stdin, env, bun }: RunOptions = {}) => {
    const child = Bun.spawn([bun ? process.execPath : node, installed.program, ...words], {
      cwd: home,
      env: { ...base, ...env },
      stdin: stdin === undefined ? 'ignore' : new Blob([stdin]),
      stdout: 'pipe',
      stderr: 'pipe',
    })
    started.push(child)
    return child
  }

  return {
    installed,
    home,
    env: base,
    node,
    start,
    async run(words: readonly string[], given?: RunOptions): Promise<Ran> {
      const child = start(words, given)
      const [out, err, code] = await Promise.all([
        new Response(child.stdout).text(),
        new Response(child.stderr).text(),
        child.exited,
      ])
      return { code, out, err }
    },
    /** Runs several command lines in one Node process, one after another. */
    async runAll(all: readonly Line[], { env }: RunOptions = {}): Promise<Ran[]> {
      const many = path.join(import.meta.dir, 'many.mjs')
      const child = Bun.spawn([node, many, installed.folder], {
        cwd: home,
        env: { ...base, ...env },
        stdin: new Blob([JSON.stringify(all)]),
        stdout: 'pipe',
        stderr: 'inherit',
      })
      return (await new Response(child.stdout).json()) as Ran[]
    },
    /** Also stops processes that a failed test has left running. */
    close() {
      for (const child of started) child.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
