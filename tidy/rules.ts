// The rules of the repository, each with what to do in its message. ARCHITECTURE.md explains them.
import path from 'node:path'
import { importRules, owners } from './owners.ts'
import { refusedIn } from './words.ts'

export type File = { path: string; text: string }
export type Rule = { name: string; check: (file: File, all: File[]) => string[] }

const isTest = (file: string) => /\.(test|suite|spec)\.tsx?$/.test(file)
export const isCode = (file: string) => /\.(tsx?|mjs|astro)$/.test(file)
export const moduleOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '')

/** Every line that matches, as `file:line what to do`. */
function lines({ path: name, text }: File, pattern: RegExp, fix: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1} ${fix}`] : []))
}

const importShape =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** What a file imports of ours: each as it is written, and the file that it means. */
export function imports(file: File): { written: string; target: string }[] {
  return [...file.text.matchAll(importShape)].flatMap(found => {
    const written = found[1] ?? found[2] ?? found[3] ?? ''
    if (written.startsWith('#')) return [{ written, target: written.slice(1) }]
    if (!written.startsWith('.')) return []
    return [{ written, target: path.posix.join(path.posix.dirname(file.path), written) }]
  })
}

/** Test support: only tests, other test support and benchmarks import it. */
const isTesting = (file: string) => /(^|\/)testing\//.test(file)
const isSupported = (file: string) =>
  isTest(file) || isTesting(file) || /^(bench|e2e|deploy)\//.test(file)

const isAllowed = (target: string, allowed: readonly string[]) =>
  allowed.some(one => one === target || target.startsWith(`${one}/`))

const ruleOfImports: Rule = {
  name: 'imports: a module imports only what ARCHITECTURE.md allows it',
  check(file) {
    const module = moduleOf(file.path)
    const allowed = importRules[module]
    if (allowed === undefined || !isCode(file.path)) return []
    return imports(file).flatMap(({ written, target }) => {
      const other = moduleOf(target)
      const at = `${file.path} imports ${written}:`
      if (isTesting(target) && !isSupported(file.path)) {
        return [`${at} only tests and benchmarks may import test support`]
      }
      if (other === module) {
        return written.startsWith('#') ? [`${at} within a module, write a relative path`] : []
      }
      // Vite reads Astro's configuration before anything understands `#`.
      if (!written.startsWith('#') && file.path !== 'site/astro.config.ts') {
        return [`${at} write #${target}, so that the import of another module can be seen`]
      }
      if (isAllowed(target, allowed) || (isSupported(file.path) && isTesting(target))) return []
      return [
        `${at} ${module} may import ${allowed.join(', ') || 'nothing of ours'}; pass it as an argument, or move what you need`,
      ]
    })
  },
}

/** A rule about lines: which files, what may not stand there, and what to do instead. */
function forbid(
  name: string,
  applies: (file: string) => boolean,
  pattern: RegExp,
  fix: string,
): Rule {
  return { name, check: file => (applies(file.path) ? lines(file, pattern, fix) : []) }
}

const ownedBy = (list: string[]) => (file: string) =>
  isCode(file) && !isTest(file) && !isTesting(file) && !list.includes(file)

const ruleOfNames: Rule = {
  name: 'names: a file is named for what is in it',
  check({ path: file }) {
    // The package's own name for its types, as in `from svc.types import Case`.
    if (file === 'clients/python/src/svc/types.py') return []
    const loose = /(^|\/)(utils?|helpers?|common|shared|misc|types)(\.[a-z.]+)?(\/|$)/.exec(file)
    if (loose) return [`${file}: "${loose[2]}" says nothing; name it after what is in it`]
    return /(^|\/)index\.[tj]s$/.test(file)
      ? [`${file}: no barrels; import the file that has what you need`]
      : []
  },
}

const ruleOfSize: Rule = {
  name: 'size: 300 lines a file, and 100 columns where the formatter cannot break the line',
  check(file) {
    if (!isCode(file.path)) return []
    const { length } = file.text.trimEnd().split('\n')
    const long = length > 300 ? [`${file.path} has ${length} lines; split it by what it does`] : []
    const comment = /^(?=.{101})\s*(\/\/|\/?\*)(?!.*https?:\/\/)/u
    return [...long, ...lines(file, comment, 'break the comment at 100 columns')]
  },
}

const filesMax = 25

const ruleOfFolders: Rule = {
  name: `folders: at most ${filesMax} files of code that are not tests`,
  check(file, all) {
    const folder = path.posix.dirname(file.path)
    const isMine = (one: File) => path.posix.dirname(one.path) === folder
    const own = all.filter(one => isMine(one) && isCode(one.path) && !isTest(one.path))
    if (own[0] !== file || own.length <= filesMax) return []
    return [`${folder}/ has ${own.length} files; split it by duty`]
  },
}

const ruleOfWords: Rule = {
  name: 'words: names and sentences use the words of the field (tidy/words.ts)',
  check({ path: name, text }) {
    if (/^tidy\/|^bun\.lock$/.test(name)) return []
    return [...refusedIn(name, name), ...refusedIn(name, text)].map(found => `${name}:${found}`)
  },
}

const ruleOfDeadFiles: Rule = {
  name: 'dead files: every file is imported, or started by name',
  check(file, all) {
    const isEntry =
      isTest(file.path) ||
      /(^site\/src\/pages\/|\.config\.ts$|\.d\.ts$|^(e2e|bench|clients|deploy)\/)/.test(
        file.path,
      ) ||
      file.text.includes('import.meta.main') ||
      (all.find(each => each.path === 'package.json')?.text.includes(file.path) ?? false) ||
      file.path === 'gateway/server/start.ts'
    if (!/\.tsx?$/.test(file.path) || isEntry || importedFiles(all).has(file.path)) return []
    const quoted = `'${path.basename(file.path)}'`
    const isRunByName = all.some(each => each !== file && each.text.includes(quoted))
    return isRunByName ? [] : [`${file.path} is not imported; delete it, or use it`]
  },
}

const importedCache = new WeakMap<File[], Set<string>>()
function importedFiles(all: File[]): Set<string> {
  const known = importedCache.get(all)
  if (known !== undefined) return known
  const code = all.filter(file => isCode(file.path) || file.path.endsWith('.mdx'))
  const found = new Set(code.flatMap(file => imports(file).map(({ target }) => target)))
  importedCache.set(all, found)
  return found
}

const ruleOfCitedPaths: Rule = {
  name: 'citations: every path that a document cites exists',
  check(file, all) {
    const isDocument = /^([A-Z]+\.md|docs\/.*\.md|[a-z]+\/README\.md)$/.test(file.path)
    if (!isDocument || file.path === 'CHANGELOG.md') return []
    const cited = [...file.text.matchAll(/`([a-z][\w-]*\/[\w./[\]-]*\.(?:ts|mjs|sql|md|sh))`/g)]
    return cited
      .map(found => found[1] ?? '')
      .filter(name => !all.some(each => each.path === name || each.path.endsWith(`/${name}`)))
      .map(name => `${file.path} cites ${name}, which does not exist; correct one of the two`)
  },
}

const ruleOfHeadings: Rule = {
  name: 'headings: a document has one h1',
  check({ path: file, text }) {
    if (!/\.mdx?$/.test(file)) return []
    const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    const count = prose.match(/^# /gm)?.length ?? 0
    // In content/ the title stands in the frontmatter and the layout makes the h1.
    const wanted = file.startsWith('content/') && !file.endsWith('/README.md') ? 0 : 1
    return count === wanted
      ? []
      : [`${file} has ${count} lines that begin "# "; it needs ${wanted}`]
  },
}

/** A plan may read such a subquery again and again, and picks other rows each time; one that is
 *  materialized, of an array or a scalar is read once. */
const ruleOfPicking: Rule = {
  name: 'picking: a subquery that locks so many rows and no more is read once',
  check({ path: name, text }) {
    if (!/\.(tsx?|sql)$/.test(name) || /0082_claim|^tidy\//.test(name)) return []
    return [...text.matchAll(/\blimit\b[^;()]*\bskip locked\b/g)].flatMap(({ index }) => {
      const before = text.slice(text.lastIndexOf(';', index) + 1, index)
      let open = 0
      let at = before.length
      while (at > 0 && open < 1) open += { '(': 1, ')': -1 }[before[--at] ?? ''] ?? 0
      if (open < 1 || /(\barray|\bmaterialized|=)\s*$/.test(before.slice(0, at))) return []
      return [`${name} write "= any (array(select …))", or "with picked as materialized (…)"`]
    })
  },
}

const anyText = (file: string) => !file.startsWith('tidy/')
export const rules: Rule[] = [
  ruleOfImports,
  ruleOfNames,
  ruleOfSize,
  ruleOfFolders,
  ruleOfWords,
  ruleOfDeadFiles,
  ruleOfCitedPaths,
  ruleOfHeadings,
  ruleOfPicking,
  forbid(
    'environment: read in one file',
    ownedBy(owners.environment),
    /\bprocess\.env\b|\bBun\.env\b|\bimport\.meta\.env\b/,
    'add the setting to gateway/server/config.ts and take it as an argument',
  ),
  forbid(
    'time and chance: asked for in one file',
    file => ownedBy(owners.timeAndChance)(file) && !file.startsWith('deploy/'),
    /\bDate\.now\(\)|\bMath\.random\(\)|\bnew Date\(\)/,
    'take the time or the bytes as an argument; database/clock.ts hands them out',
  ),
  forbid(
    'catching: only where there is something to do about it',
    file => ownedBy(owners.catching)(file) && !/^(deploy|e2e|bench|clients)\//.test(file),
    /\bcatch\s*(\(\w+(: unknown)?\)\s*)?\{/,
    'let it go up to where a failure becomes an answer; if this file must catch, add it to owners.catching in tidy/owners.ts with its reason',
  ),
  forbid(
    'network: none inside clinical/ but where webhooks and messages are delivered',
    file =>
      /^clinical\/(?!webhooks\/delivery\/|realtime\/ably)/.test(file) &&
      ownedBy(owners.network)(file),
    /\bfetch\(|\bnew WebSocket\(|from 'node:(http|https|http2|net|tls|dns|dgram)'/,
    'store what is to be done and let a job make the call after the commit',
  ),
  forbid(
    'cookies: read where a session is kept',
    file => /^(http|clinical|booking|gateway|mcp)\//.test(file) && ownedBy(owners.cookies)(file),
    /['"](set-)?cookie['"]/i,
    'the site and the API know no session: ask http/origins/own-origin.ts',
  ),
  forbid(
    'modes: live differs from test in clinical/modes.ts alone',
    file =>
      /^(clinical|gateway|auth|mcp|portal|console)\//.test(file) &&
      !isTest(file) &&
      !isTesting(file) &&
      file !== 'clinical/modes.ts',
    /\bif \(.*\bmode ?[!=]==? ?'(live|test)'/,
    'put the difference into clinical/modes.ts under a name, and ask for it by that name',
  ),
  forbid(
    'citations: a comment cites only what a reader can open',
    file => (isCode(file) || file.endsWith('.sql')) && anyText(file),
    /(\/\/|\*|--).*(\bcontract\/\d\d\b|[( ][CPRSW]\d{1,2}[,.;:)]|\bT-[A-Z]{2}-\d|, section \d+ of the paper)/,
    'name a file of this repository, an RFC or a public issue',
  ),
  forbid(
    'no promises in comments',
    anyText,
    /\b(TODO|FIXME|XXX)\b/,
    'do it now, or put it into an issue',
  ),
  forbid(
    'no code in comments',
    file => isCode(file) && anyText(file),
    /^\s*\/\/\s*(import .* from '|export (const|function|type) |(const|let) \w+ = |return \w+\(|if \(.*\) \{$|await \w+\()/,
    'delete it; the history remembers',
  ),
  forbid(
    'no registry and no machine is named',
    anyText,
    /registry\.(npmjs|yarnpkg)|files\.pythonhosted|pypi\.org\/simple|(^|[^\w/.-])\/(work|farm|root)\//,
    'the machine chooses its registry and its folders: write a relative path, or nothing',
  ),
  forbid('merging: no conflict is left', anyText, /^(<{7}|>{7}) /, 'resolve the conflict'),
  forbid(
    'the lock file holds no address',
    file => file === 'bun.lock',
    /"https?:\/\//,
    'install again with the default registry; an address here ties everybody to one mirror',
  ),
  forbid(
    'no test is left out',
    file => isTest(file) && anyText(file),
    /\b(test|describe|it)\.(only|skip|todo)\(/,
    'make it pass, or delete it; test.skipIf() is for what a machine may lack',
  ),
  forbid(
    'waiting: an expectation of a promise is waited for',
    file => isTest(file),
    /^\s*expect\(.*\)\.(rejects|resolves)\./,
    'await it: a rejection after the end of a test is not reported',
  ),
  forbid(
    'no path aliases',
    file => /tsconfig.*\.json$/.test(file),
    /"paths"/,
    'use #module/file.ts',
  ),
]
