// `node deploy/run.mjs deploy/sbom.ts`: a production installation's packages with their hashes,
// from the lock file, as a CycloneDX document on standard output.
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dir)

type Names = Readonly<Record<string, string>>
type Manifest = {
  readonly name: string
  readonly version: string
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
}
/** Packages by location: `a`, or `b/a` if `b` needs a different version of `a`. */
type Packages = Readonly<Record<string, [id: string, from: string, needs: Manifest, hash: string]>>

const read = (name: string) => readFileSync(path.join(root, name), 'utf8')
const needsOf = ({ dependencies, optionalDependencies }: Manifest) =>
  Object.keys({ ...dependencies, ...optionalDependencies })

/** The location to which `place` resolves `name`: its own copy, or the nearest enclosing one. */
function placeOf(packages: Packages, place: readonly string[], name: string): string | undefined {
  const key = [...place, name].join('/')
  if (Object.hasOwn(packages, key)) return key
  return place.length === 0 ? undefined : placeOf(packages, place.slice(0, -1), name)
}

const namesIn = (place: string) => place.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []

/** These packages and all of their dependencies. */
function reachable(packages: Packages, names: readonly string[]): Set<string> {
  const found = new Set<string>()
  const waiting = names.map(name => placeOf(packages, [], name))
  for (
    let place = waiting.pop();
    waiting.length > 0 || place !== undefined;
    place = waiting.pop()
  ) {
    const entry = place === undefined ? undefined : packages[place]
    if (place === undefined || entry === undefined || found.has(place)) continue
    found.add(place)
    const around = namesIn(place)
    waiting.push(...needsOf(entry[2]).map(name => placeOf(packages, around, name)))
  }
  return found
}

const purlOf = (id: string) => `pkg:npm/${id.replace(/^@/, '%40')}`

const manifest: Manifest = JSON.parse(read('package.json'))
// The lock file is JSON with trailing commas.
const { packages }: { packages: Packages } = JSON.parse(
  read('bun.lock').replace(/,(\s*[}\]])/g, '$1'),
)

/** The node_modules folders of these production packages and their dependencies. */
export const foldersOf = (isNeeded: (name: string) => boolean): string[] =>
  [...reachable(packages, needsOf(manifest).filter(isNeeded))].map(place =>
    namesIn(place).join('/node_modules/'),
  )

export function sbom() {
  const listed = [...reachable(packages, needsOf(manifest))].map(place => packages[place] ?? [])
  const components = new Map(
    listed.map(([id = '', , , hash = '']) => {
      const at = id.lastIndexOf('@')
      const content = Buffer.from(hash.replace(/^sha512-/, ''), 'base64').toString('hex')
      const component = {
        type: 'library',
        'bom-ref': purlOf(id),
        name: id.slice(0, at),
        version: id.slice(at + 1),
        purl: purlOf(id),
        hashes: [{ alg: 'SHA-512', content }],
      }
      return [id, component] as const
    }),
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', name: manifest.name, version: manifest.version },
    },
    components: [...components.values()].toSorted((a, b) => (a.purl < b.purl ? -1 : 1)),
  }
}

if (import.meta.main) console.log(JSON.stringify(sbom(), null, 2))
