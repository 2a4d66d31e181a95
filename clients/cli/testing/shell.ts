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

type Runner = (lines: readonly Line[]) => Promise<Ran[]>
type RunnerProcess = Bun.Subprocess<'pipe', 'pipe', 'inherit'>

/** Sends lists of command lines to many.mjs, one list at a time. */
function runnerOf({ stdin, stdout }: RunnerProcess): Runner {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader()
  let last: Promise<unknown> = Promise.resolve()
  const send = async (lines: readonly Line[]) => {
    await stdin.write(`${JSON.stringify(lines)}\n`)
    await stdin.flush()
    let text = ''
    while (!text.endsWith('\n')) {
      const { value, done } = await reader.read()
      if (done) throw new Error('the process of the command lines has ended')
      text += value
    }
    return JSON.parse(text) as Ran[]
  }
  return lines => {
    const results = last.then(() => send(lines))
    last = results.catch(() => {})
    return results
  }
}

/**
 * Runs several command lines, one after another, in one Node process. Lines with the same variables
 * share a process.
 */
function runnersOf(open: (env: RunOptions['env']) => RunnerProcess) {
  const runners = new Map<string, Runner>()
  return (lines: readonly Line[], { env = {} }: Pick<RunOptions, 'env'> = {}) => {
    const variables = JSON.stringify(env)
    const runner = runners.get(variables) ?? runnerOf(open(env))
    runners.set(variables, runner)
    return runner(lines)
  }
}

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

  const many = path.join(import.meta.dir, 'many.mjs')
  const runAll = runnersOf(env => {
    const child = Bun.spawn([node, many, installed.folder], {
      cwd: home,
      env: { ...base, ...env },
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'inherit',
    })
    started.push(child)
    return child
  })

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
    runAll,
    /** Runs a command line in the process of `runAll`. */
    async runLine(words: readonly string[], given?: Pick<RunOptions, 'env'>): Promise<Ran> {
      const [ran] = await runAll([words], given)
      if (ran === undefined) throw new Error('there is no result')
      return ran
    },
    /** Also stops processes that a failed test has left running. */
    close() {
      for (const child of started) child.kill()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
