// `npm run proof`: creates a zip with the evidence for a release. The zip contains conformance
// results, load results and the machine that produced them, drill logs, the SBOM and signature
// vectors. The command runs the conformance tests and copies the other results from the last runs
// of `npm run bench` and of the drills in deploy/cluster. The command writes DATA_DIR/proof.zip,
// which a gateway serves at /proof.zip and links from its status page; `--out=FILE` writes to
// another file.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { downloadZip } from 'client-zip'
import { readConfig } from '#gateway/settings/config.ts'
import { sbom } from './sbom.ts'

const root = path.dirname(import.meta.dir)

type Counts = { readonly passed: number; readonly failed: number; readonly skipped: number }
const { countsOf }: { countsOf(xml: string): Counts } = await import(
  path.join(import.meta.dir, 'test-report.mjs')
)

type Suite = { readonly standard: string; readonly tests: readonly string[] }

/** Tests against the standards' own schemas, suites and clients. */
const suites: readonly Suite[] = [
  {
    standard: 'OpenAPI',
    tests: [
      'contract/openapi',
      'contract/examples',
      'sweeps/every-example',
      'sweeps/site-contract',
    ],
  },
  { standard: 'MCP', tests: ['mcp/protocol/conformance', 'sweeps/clinical-tools/conformance'] },
  { standard: 'A2A', tests: ['sweeps/a2a/'] },
  { standard: 'ACP', tests: ['sweeps/acp/'] },
]

type ProofFile = { readonly name: string; readonly about: string; readonly text: string }

const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

const machine = () => ({
  processors: availableParallelism(),
  model: cpus()[0]?.model ?? 'unknown',
  memory_gib: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform}-${process.arch}`,
  bun: Bun.version,
})

function git(...words: string[]): string {
  return Bun.spawnSync(['git', ...words], { cwd: root, stderr: 'ignore' })
    .stdout.toString()
    .trim()
}

/** Runs a suite. Throws if a test fails or no test ran, because such a run proves nothing. */
async function conformanceOf({ standard, tests }: Suite, folder: string): Promise<ProofFile> {
  const file = path.join(folder, `${standard}.xml`)
  const reporter = ['--reporter=junit', `--reporter-outfile=${file}`]
  const command = [process.execPath, 'test', '--timeout=60000', ...reporter, ...tests]
  const child = Bun.spawn(command, { cwd: root, stdout: 'ignore', stderr: 'pipe' })
  const said = await new Response(child.stderr).text()
  const text = await Bun.file(file)
    .text()
    .catch(() => '')
  const { passed, failed, skipped } = countsOf(text)
  if ((await child.exited) !== 0 || failed > 0 || passed === 0) {
    throw new Error(`The ${standard} tests don't pass:\n${said.slice(-4000)}`)
  }
  return {
    name: `conformance/${standard.toLowerCase()}.xml`,
    about: `${standard}: ${passed} tests passed, ${skipped} skipped, none failed (JUnit)`,
    text,
  }
}

/** The part of a document between two lines. */
function excerpt(name: string, start: string, end: string): string {
  const [, rest = ''] = read(name).split(start)
  const [found = ''] = rest.split(end)
  if (found.trim() === '') throw new Error(`${name} has no part from ${start}`)
  return `${found.trim()}\n`
}

/** JSON files from the last runs, in one of DATA_DIR's folders. */
function keptIn(dataDir: string, folder: string, about: (name: string) => string): ProofFile[] {
  const place = path.join(dataDir, folder)
  return (existsSync(place) ? readdirSync(place) : [])
    .filter(name => name.endsWith('.json'))
    .toSorted()
    .map(name => ({
      name: `${folder}/${name}`,
      about: about(name.replace(/\.json$/, '')),
      text: readFileSync(path.join(place, name), 'utf8'),
    }))
}

function figures(dataDir: string): ProofFile[] {
  const recorded = excerpt('bench/README.md', '<!-- figures -->', '<!-- end of figures -->')
  return [
    {
      name: 'load/figures.md',
      about: "The latest recorded load figures, with each run's machine",
      text: recorded,
    },
    ...keptIn(dataDir, 'figures', bench => `Figures from the last ${bench} run on this machine`),
  ]
}

function drills(dataDir: string): ProofFile[] {
  const recorded = excerpt('deploy/cluster/README.md', '### Results', '\n## Restoring')
  return [
    {
      name: 'drills/recorded.md',
      about: 'Cluster drill log: faults, lost writes, times',
      text: recorded,
    },
    ...keptIn(dataDir, 'drills', drill => `Report from the last ${drill} drill on this machine`),
  ]
}

const readme = (commit: string, files: readonly ProofFile[]) => `# Proof of ${commit}

Created from commit ${commit}. \`manifest.json\` has the SHA-256 of each file, and the machine that
ran the conformance tests.

${files.map(({ name, about }) => `- \`${name}\`: ${about}.`).join('\n')}
`

/** The archive, with a manifest of its contents. */
export async function proofOf(tested: readonly Suite[], dataDir: string): Promise<Blob> {
  const folder = mkdtempSync(path.join(tmpdir(), 'proof-'))
  const conformance: ProofFile[] = []
  try {
    // Suites run one after another, because each starts its own servers.
    for (const suite of tested) conformance.push(await conformanceOf(suite, folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
  const commit = git('describe', '--always', '--dirty=-with-changes') || 'unknown'
  const parts = [
    ...conformance,
    ...figures(dataDir),
    ...drills(dataDir),
    {
      name: 'sbom.cdx.json',
      about: 'Installed packages (CycloneDX 1.6)',
      text: json(sbom()),
    },
    {
      name: 'webhook-signatures.json',
      about: 'Signed deliveries with the expected result for each',
      text: read('contract/vectors/webhook-signatures.json'),
    },
  ]
  const files = [{ name: 'README.md', about: 'This list', text: readme(commit, parts) }, ...parts]
  const manifest = {
    commit,
    committed_at: git('show', '-s', '--format=%cI', 'HEAD'),
    machine: machine(),
    files: files.map(({ name, about, text }) => ({
      name,
      about,
      sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
    })),
  }
  const entries = [...files, { name: 'manifest.json', text: json(manifest) }]
  return downloadZip(entries.map(({ name, text }) => ({ name, input: text }))).blob()
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } })
  const { dataDir } = readConfig()
  const file = path.resolve(values.out ?? path.join(dataDir, 'proof.zip'))
  try {
    const archive = await proofOf(suites, dataDir)
    await Bun.write(file, archive)
    console.log(`${file}: ${Math.ceil(archive.size / 1024)} KiB`)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
