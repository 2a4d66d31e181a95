// Validates requests and responses against the protocol's official schema of each date, for tests.
import path from 'node:path'
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { AcpDate } from '#contract/site/acp.ts'

const folder = path.join(import.meta.dir, '../standards')
const library = 'https://schemas.test/official'
const libraries = new Map<string, Ajv>()
const validators = new Map<string, ValidateFunction>()

/** A value's errors, by that date's JSON Schema. */
export async function faultsBySchema(date: AcpDate, name: string, value: unknown) {
  return faultsOf(`acp-${date}.schema.json`, `#/$defs/${name}`, value)
}

async function faultsOf(file: string, pointer: string, value: unknown): Promise<string[]> {
  const name = `${file}${pointer}`
  const ajv = libraries.get(file) ?? (await libraryOf(file))
  libraries.set(file, ajv)
  const validate = validators.get(name) ?? ajv.compile({ $ref: `${library}${pointer}` })
  validators.set(name, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  )
}

async function libraryOf(file: string): Promise<Ajv> {
  const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false })
  addFormats(ajv)
  const document = (await Bun.file(path.join(folder, file)).json()) as object
  return ajv.addSchema({ ...upToDate(document), $id: library })
}

/** Converts `exclusiveMinimum` to its newer form, because the first date's bundle has the form from
 *  before draft 6. */
const upToDate = (document: object): object =>
  JSON.parse(JSON.stringify(document).replaceAll('"exclusiveMinimum":true', '"exclusiveMinimum":0'))
