// Validates responses against the official schemas of both protocol versions, for tests.
import path from 'node:path'
import Ajv, { type ValidateFunction } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

const folder = path.join(import.meta.dir, '../standards')
const read = (file: string) => Bun.file(path.join(folder, file)).json()
const options = { strict: false, allErrors: true, validateSchema: false }
const validators = new Map<string, Promise<ValidateFunction>>()

/** A value's errors, by version 0.3's schema. */
export const faultsBy03 = (name: string, value: unknown) =>
  faultsOf(`0.3 ${name}`, value, async () => {
    const ajv = addFormats(new Ajv(options))
    ajv.addSchema({ ...(await read('a2a-0.3.schema.json')), $id: 'https://schemas.test/a2a' })
    return ajv.compile({ $ref: `https://schemas.test/a2a#/definitions/${name}` })
  })

/** A value's errors, by version 1.0's schema, which refers to each definition as a separate
 *  file. */
export const faultsBy10 = (name: string, value: unknown) =>
  faultsOf(`1.0 ${name}`, value, async () => {
    const ajv = addFormats(new Ajv2020(options))
    const { definitions } = await read('a2a-1.0.schema.json')
    for (const [title, schema] of Object.entries<object>(definitions)) {
      const inProtobuf = ['Struct', 'Timestamp', 'Value'].includes(title)
      const file = `${inProtobuf ? 'google.protobuf' : 'lf.a2a.v1'}.${title.replaceAll(' ', '')}`
      ajv.addSchema({ ...schema, $id: `https://schemas.test/${file}.jsonschema.json` })
    }
    const file = `lf.a2a.v1.${name.replaceAll(' ', '')}.jsonschema.json`
    return ajv.compile({ $ref: `https://schemas.test/${file}` })
  })

async function faultsOf(key: string, value: unknown, make: () => Promise<ValidateFunction>) {
  const made = validators.get(key) ?? make()
  validators.set(key, made)
  const validate = await made
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
