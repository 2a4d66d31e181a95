// The programs the reference shows for each operation, in curl, TypeScript and Python. The programs
// run as printed, except for IDs and times, which come from the test's platform.
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { documentedCall, exampleValues } from '#clinical/testing/example-values.ts'
import { operationIds, table } from '#contract/api.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'
import { sampleSection } from './samples.ts'

let gateway: Awaited<ReturnType<typeof openTestGateway>>
let env: { API: string; KEY: string }
beforeAll(async () => {
  gateway = await openTestGateway()
  env = { API: `http://localhost:${gateway.port}`, KEY: gateway.fixtures.ada.test }
})
afterAll(() => gateway.close())

/** Runs a program, and returns what it printed. */
type Run = (program: string) => Promise<string>

const AsyncFunction = (async () => {}).constructor as new (
  ...parts: string[]
) => (env: object, console: object) => Promise<void>

async function asTypescript(program: string): Promise<string> {
  const [, imports, code = ''] = /^(import .*\n)([^]*)$/.exec(program) ?? []
  expect(imports).toBe("import { env } from 'node:process'\n")
  let printed: unknown
  const script = new Bun.Transpiler({ loader: 'ts', target: 'bun' }).transformSync(code)
  await new AsyncFunction('env', 'console', script)(env, { log: (one: unknown) => (printed = one) })
  return JSON.stringify(printed)
}

async function asShell(program: string): Promise<string> {
  const stdin = Buffer.from(program)
  const child = Bun.spawn(['bash'], { env: { ...process.env, ...env }, stdin, stderr: 'pipe' })
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect([await child.exited, error]).toEqual([0, ''])
  return out
}

/** Runs all programs in one process, because starting Python takes longer than a program. */
const loop = `import contextlib, io, json, sys
for line in sys.stdin:
    out, error = io.StringIO(), ""
    with contextlib.redirect_stdout(out):
        try:
            exec(json.loads(line), {"__name__": "__main__"})
        except Exception as failed:
            error = repr(failed)
    print(json.dumps([out.getvalue(), error]), flush=True)
`

function openPython() {
  const child = Bun.spawn(['python3', '-c', loop], {
    env: { ...process.env, ...env },
    stdin: 'pipe',
  })
  const answers = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  return async (program: string): Promise<string> => {
    await child.stdin.write(`${JSON.stringify(program)}\n`)
    await child.stdin.flush()
    let line = ''
    while (!line.endsWith('\n')) line += (await answers.read()).value ?? '\n'
    const [out, error] = JSON.parse(line) as [string, string]
    expect(error).toBe('')
    return out
  }
}

const languages: Readonly<Record<string, { program: string | null; open: () => Run }>> = {
  sh: { program: 'curl', open: () => asShell },
  ts: { program: null, open: () => asTypescript },
  python: { program: 'python3', open: openPython },
}

/** A language's program on an operation's page. */
function sampleOf(id: (typeof operationIds)[number], language: string): string {
  const parts = sampleSection(id, table[id]).filter(part => typeof part === 'string')
  const fence = new RegExp(`^\`\`\`${language}\\n([^]*?)\\n\`\`\`$`, 'm')
  return fence.exec(parts.join('\n\n'))?.[1] ?? ''
}

for (const [language, { program, open }] of Object.entries(languages)) {
  test.skipIf(program !== null && Bun.which(program) === null)(
    `reference: every ${language} sample runs, and prints the operation’s response`,
    async () => {
      expect(operationIds).toHaveLength(65)
      const run = open()
      for (const id of operationIds) {
        const call = await documentedCall(id, gateway.fixtures, gateway.fixtures.ada.test)
        const sample = exampleValues(id, call).reduce(
          (sample, [from, to]) => sample.replaceAll(from, to),
          sampleOf(id, language),
        )
        gateway.lines.length = 0
        gateway.at(call.at)
        const printed = await run(sample)
        gateway.at(undefined)
        const answered = gateway.lines.map(({ fields, status }) => [fields?.['operation'], status])
        expect(answered).toEqual([[id, table[id].status]])
        expect([id, printed.length > 0]).toEqual([id, true])
      }
    },
    120_000,
  )
}
