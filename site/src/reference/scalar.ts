import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The program of the interactive reference. The package for servers carries it as a string, because
 * it is meant to serve it itself; we serve it as a file, so the string is read out of the package.
 */
function scalarScript(): string {
  const file = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  const source = readFileSync(file, 'utf8')
  const from = 'var standalone_default = "'
  const at = source.indexOf(from)
  if (at < 0) throw new Error('the package of the interactive reference is built in another way')
  const text = source.slice(at + from.length, source.indexOf('";\n', at))
  const program: unknown = JSON.parse(`"${text.replace(control, escaped)}"`)
  // Its map lies with its maker, and a browser that looks for it finds nothing here.
  return String(program).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
}

/** A string of JavaScript may hold these as they stand, a string of JSON may not. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f]/g
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const script = scalarScript()

/** Named for its bytes, so that browsers keep it for good. */
export const scalarName = `scalar.${new Bun.CryptoHasher('sha256').update(script).digest('hex').slice(0, 12)}`
export const scalarText = script
