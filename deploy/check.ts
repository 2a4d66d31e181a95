// `npm run check`: runs every check that needs no database, in parallel, in seconds. --whole, which
// `npm test` uses, adds the slower checks but skips the check that `npm test` runs as a test.
import path from 'node:path'

const root = path.dirname(import.meta.dir)
const bin = (name: string) => path.join(root, 'node_modules', '.bin', name)
const bun = (...words: string[]) => [process.execPath, ...words]

type Part = {
  readonly command: string[]
  /** The command that --fix runs first. */
  readonly fix?: string[]
  readonly isSlow?: true
  readonly isTest?: true
}

const parts: Readonly<Record<string, Part>> = {
  types: {
    // Uses one checker, because four would each infer the whole contract table's types, which takes
    // three times the CPU time. The check is incremental, so unchanged files aren't checked again.
    command: [bin('tsc'), '--noEmit', '--pretty', '--checkers', '1', '--incremental'].concat(
      '--tsBuildInfoFile',
      path.join(root, '.data', 'types.tsbuildinfo'),
    ),
  },
  lint: { command: [bin('oxlint'), '--deny-warnings'] },
  promises: {
    // This check has no cache, so it infers every type again: 8 s of CPU time, more than all other
    // checks combined.
    command: [bin('oxlint'), '--type-aware', '-A', 'all', '-D', 'typescript/no-floating-promises'],
    isSlow: true,
  },
  unused: {
    // Finds unused files and exports. Reading every file takes 10 s of CPU time.
    command: [bin('knip'), '--config=tidy/knip.json', '--no-progress', '--no-config-hints'],
    isSlow: true,
  },
  format: { command: [bin('oxfmt'), '--check'], fix: [bin('oxfmt')] },
  tidy: {
    command: bun('test', '--timeout=60000', './tidy/tidy.test.ts'),
    fix: bun('tidy/documents.ts'),
    isTest: true,
  },
  spelling: {
    // Checks documents, pages and comments. Additional words are in content/words.txt.
    command: bun('--bun', 'node_modules/cspell/bin.mjs', '--no-progress', '--no-summary').concat(
      '--config=tidy/cspell.json',
      '--cache',
      '--cache-location',
      path.join(root, '.data', 'cspell'),
    ),
  },
  contract: {
    command: bun('contract/generate.ts', '--check'),
    fix: bun('contract/generate.ts'),
  },
  python: {
    command: bun('clients/generate/python/lint.ts'),
    fix: bun('clients/generate/python/lint.ts', '--write'),
  },
  content: {
    command: bun('content/checks/check.ts'),
    fix: bun('content/checks/check.ts', '--fix'),
  },
}

const help = `Usage:
  npm run check [-- --fix]
  npm run check -- <part>… [--fix]
  npm run check -- content [--fix] [--external] [--json] [--sarif]

Runs every check that doesn't need a database. --fix first formats the code, writes the generated
files and applies mechanical content fixes. --whole adds the slow parts. Parts: ${Object.keys(parts).join(', ')}.
With content alone, warnings are printed too, and --external requests the pages we link to on other
sites.`

async function run(name: string, command: string[]): Promise<boolean> {
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

async function checkAll(names: string[], isFixing: boolean): Promise<number> {
  const chosen = Object.entries(parts).filter(([name]) => names.includes(name))
  if (isFixing) {
    for (const [name, { fix }] of chosen) if (fix) await run(`${name} --fix`, fix)
  }
  // The clients' sources import generated types, which aren't committed.
  if (!(await run('clients', bun('clients/generate/generate.ts')))) return 1
  const results = await Promise.all(chosen.map(([name, { command }]) => run(name, command)))
  if (!results.includes(false)) return 0
  console.log('\n`npm run check -- --fix` formats code and writes generated files.')
  return 1
}

/** For editors, overdue facts also fail, so dates are compared with today. */
function checkContent(options: string[]): Promise<number> {
  const today = new Date().toLocaleDateString('sv-SE')
  const command = bun('content/checks/check.ts', `--today=${today}`, ...options)
  return Bun.spawn(command, { cwd: root, stdout: 'inherit', stderr: 'inherit' }).exited
}

async function main(words: string[]): Promise<number> {
  if (words.includes('--help')) {
    console.log(help)
    return 0
  }
  const isWhole = words.includes('--whole')
  const isOption = (word: string) => word.startsWith('--')
  const known = new Set([...Object.keys(parts), ...help.split(/[\s,[\]]+/).filter(isOption)])
  const unknown = words.find(word => !known.has(word))
  if (unknown !== undefined) {
    const what = isOption(unknown) ? `Unknown option ${unknown}` : `"${unknown}" is not a part`
    console.error(`${what}.\n\n${help}`)
    return 2
  }
  const named = words.filter(word => !isOption(word))
  if (named.join() === 'content') return checkContent(words.filter(isOption))
  const usual = Object.entries(parts).filter(([, { isSlow = false, isTest = false }]) =>
    isWhole ? !isTest : !isSlow,
  )
  const names = named.length > 0 ? named : usual.map(([name]) => name)
  return checkAll(names, words.includes('--fix'))
}

process.exit(await main(process.argv.slice(2)))
