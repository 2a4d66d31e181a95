import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/**
 * The script of the interactive reference. The package for servers contains it as a string; we
 * serve it as a file, so the string is read out of the package.
 */
function scalarScript(): string {
  const file = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference')
  const source = readFileSync(file, 'utf8')
  const from = 'var standalone_default = "'
  const at = source.indexOf(from)
  if (at < 0) throw new Error('the package of the interactive reference is built in another way')
  const text = source.slice(at + from.length, source.indexOf('";\n', at))
  const program: unknown = JSON.parse(`"${text.replace(control, escaped)}"`)
  // Its source map is not served here.
  return String(program).replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
}

/** Control characters that are valid in a JavaScript string but not in JSON. */
// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f]/g
const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`

const script = scalarScript()

/** Named by its hash, so that browsers may cache it forever. */
export const scalarName = `scalar.${new Bun.CryptoHasher('sha256').update(script).digest('hex').slice(0, 12)}`
export const scalarText = script
