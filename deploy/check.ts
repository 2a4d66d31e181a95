// `npm run check`: every check that needs no database, in parallel, in seconds. With --whole, as
// `npm test` runs it, also those that take longer, and not the one that it runs as a test.
import { existsSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dir)
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)

type Part = { name: string; command: string[]; needs?: string; isSlow?: true; isTest?: true }
const parts: Part[] = [
  {
    name: 'types',
    // One checker: four would each infer the types of the whole contract table, for 3 times the CPU
    // time. Incremental, so that unchanged files are not checked again.
    command: [bin('tsc'), '--noEmit', '--pretty', '--checkers', '1', '--incremental'].concat(
      '--tsBuildInfoFile',
      path.join(root, '.data', 'types.tsbuildinfo'),
    ),
  },
  { name: 'lint', command: [bin('oxlint'), '--deny-warnings'] },
  {
    // Without a cache it infers every type again: 8 s of a processor, more than all other checks.
    name: 'promises',
    command: [bin('oxlint'), '--type-aware', '-A', 'all', '-D', 'typescript/no-floating-promises'],
    isSlow: true,
  },
  {
    // Files and exports that nothing uses. It reads every file: 10 s of a processor.
    name: 'unused',
    command: [bin('knip'), '--no-progress', '--no-config-hints'],
    isSlow: true,
  },
  { name: 'format', command: [bin('oxfmt'), '--check'] },
  {
    name: 'tidy',
    command: [process.execPath, 'test', '--timeout=60000', './tidy/tidy.test.ts'],
    isTest: true,
  },
  {
    name: 'generated files',
    command: [process.execPath, 'contract/generate.ts', '--check'],
    needs: 'contract/generate.ts',
  },
  {
    name: 'generated clients',
    command: [process.execPath, 'clients/generate/generate.ts', '--check'],
    needs: 'clients/generate/generate.ts',
  },
  {
    name: 'python',
    command: [process.execPath, 'clients/generate/python/lint.ts'],
    needs: 'clients/generate/python/lint.ts',
  },
  {
    name: 'content',
    command: [process.execPath, 'content/checks/check.ts'],
    needs: 'content/checks/check.ts',
  },
]

async function check({ name, command }: Part): Promise<boolean> {
  const started = performance.now()
  const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  const failed = code === 0 ? '' : `\n${out}${err}`
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(17)} ${seconds} s${failed}`)
  return code === 0
}

const isWhole = process.argv.includes('--whole')
const present = parts.filter(
  ({ needs, isSlow = false, isTest = false }) =>
    !(isWhole ? isTest : isSlow) && (needs === undefined || existsSync(path.join(root, needs))),
)
const results = await Promise.all(present.map(check))
if (results.includes(false)) {
  console.log('\n`npm run format` fixes the format, `npm run generate` the generated files.')
  process.exit(1)
}
