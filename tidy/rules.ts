// The repository's rules, each with its fix in the message. ARCHITECTURE.md explains them.
import path from 'node:path'
import { type File, isCode, isSupported, isTest, isTesting, lines, type Rule } from './files.ts'
import { forbiddenLines } from './lines.ts'
import { importRules } from './owners.ts'
import { ruleOfOrders, ruleOfPicking } from './statements.ts'
import { refusedIn } from './words.ts'

const moduleOf = (file: string) => (file.includes('/') ? (file.split('/')[0] ?? '') : '')

/** Computes a value from all files only once. */
function once<T>(compute: (all: File[]) => T): (all: File[]) => T {
  const known = new WeakMap<File[], { value: T }>()
  return all => {
    const found = known.get(all) ?? { value: compute(all) }
    known.set(all, found)
    return found.value
  }
}

const importShape =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm

/** A file's imports of our own modules: each specifier as written, and the file that it refers
 *  to. */
export function imports(file: File): { written: string; target: string }[] {
  return [...file.text.matchAll(importShape)].flatMap(found => {
    const written = found[1] ?? found[2] ?? found[3] ?? ''
    if (written.startsWith('#')) return [{ written, target: written.slice(1) }]
    if (!written.startsWith('.')) return []
    return [{ written, target: path.posix.join(path.posix.dirname(file.path), written) }]
  })
}

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
      // Vite reads Astro's configuration before anything can resolve `#`.
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

const ruleOfCommands: Rule = {
  name: 'commands: every npm script that is named exists, and no one needs Bun on the PATH',
  check(file, all) {
    if (isTest(file.path) || file.path.startsWith('tidy/')) return []
    const manifest = all.find(({ path: name }) => name === 'package.json')?.text ?? '{}'
    const { scripts = {} }: { scripts?: Record<string, string> } = JSON.parse(manifest)
    const named = [...file.text.matchAll(/\bnpm run (?:--silent )?([a-z][a-z:-]*)/g)]
    const unknown = named.flatMap(([, name = '']) => (name in scripts ? [] : [`npm run ${name}`]))
    const typed = file.path.endsWith('.md') ? /\bbun (?:run|test) [\w/:.-]+/g : /\bbun run [a-z:]+/g
    return [
      ...unknown.map(command => `${file.path}: package.json has no script for ${command}`),
      ...[...file.text.matchAll(typed)].map(
        ([command]) => `${file.path}: write npm instead of ${command}; Bun is not on the PATH`,
      ),
    ]
  },
}

const ruleOfNames: Rule = {
  name: 'names: a file is named for what is in it',
  check({ path: file }) {
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
    if (!isCode(file.path) && !file.path.endsWith('.py')) return []
    const { length } = file.text.trimEnd().split('\n')
    const long = length > 300 ? [`${file.path} has ${length} lines; split it by what it does`] : []
    const comment = /^(?=.{101})\s*(\/\/|\/?\*)(?!.*https?:\/\/)/u
    return [...long, ...lines(file, comment, 'break the comment at 100 columns')]
  },
}

const filesMax = 25

const codeByFolder = once(all =>
  Map.groupBy(
    all.filter(({ path: name }) => isCode(name) && !isTest(name)),
    ({ path: name }) => path.posix.dirname(name),
  ),
)

const ruleOfFolders: Rule = {
  name: `folders: at most ${filesMax} code files that aren’t tests`,
  check(file, all) {
    const folder = path.posix.dirname(file.path)
    const own = codeByFolder(all).get(folder) ?? []
    if (own[0] !== file || own.length <= filesMax) return []
    return [`${folder}/ has ${own.length} files; split it by responsibility`]
  },
}

const ruleOfWords: Rule = {
  name: 'words: names and sentences use the words of the field (tidy/words.ts)',
  check({ path: name, text }) {
    if (/^tidy\/|^bun\.lock$/.test(name)) return []
    return [...refusedIn(name, name), ...refusedIn(name, text)].map(found => `${name}:${found}`)
  },
}

const ruleOfCitedPaths: Rule = {
  name: 'citations: every path that a document cites exists',
  check(file, all) {
    const isDocument = /^([A-Z]+\.md|docs\/.*\.md|[a-z]+\/README\.md)$/.test(file.path)
    if (!isDocument) return []
    const cited = [...file.text.matchAll(/`([a-z][\w-]*\/[\w./[\]-]*\.(?:ts|mjs|sql|md|sh))`/g)]
    return cited
      .map(found => found[1] ?? '')
      .filter(name => !all.some(each => each.path === name || each.path.endsWith(`/${name}`)))
      .map(name => `${file.path} cites ${name}, which does not exist; correct one of the two`)
  },
}

const ruleOfDecisions: Rule = {
  name: 'decisions: each is cited by the code that it holds',
  check({ path: file }, all) {
    if (!/^docs\/decisions\/\d/.test(file)) return []
    if (all.some(each => isCode(each.path) && each.text.includes(file))) return []
    return [`no code cites ${file}: cite it, or delete it`]
  },
}

const ruleOfHeadings: Rule = {
  name: 'headings: a document has one h1',
  check({ path: file, text }) {
    if (!/\.mdx?$/.test(file)) return []
    const prose = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '')
    const count = prose.match(/^# /gm)?.length ?? 0
    // In content/, the title is in the frontmatter, and the layout creates the h1.
    const wanted = /^content\/(?!README|changelog)/.test(file) ? 0 : 1
    return count === wanted
      ? []
      : [`${file} has ${count} lines that begin "# "; it needs ${wanted}`]
  },
}

export const rules: Rule[] = [
  ruleOfImports,
  ruleOfCommands,
  ruleOfNames,
  ruleOfSize,
  ruleOfFolders,
  ruleOfWords,
  ruleOfCitedPaths,
  ruleOfDecisions,
  ruleOfHeadings,
  ruleOfPicking,
  ruleOfOrders,
  ...forbiddenLines,
]
