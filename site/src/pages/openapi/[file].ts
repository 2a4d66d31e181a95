import { join } from 'node:path'
import config from '#content/site.config.ts'
import { withAddresses } from '#contract/derive/clinical.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'

const file = join(process.cwd(), 'contract', 'generated', 'openapi.v1.json')

/**
 * The contract of the clinical API as files, for hosts of static files. The gateway answers these
 * addresses itself, with its own host in them.
 */
export const getStaticPaths = () =>
  ['v1.json', 'v1.yaml'].map(name => ({ params: { file: name }, props: { name } }))

export async function GET({ props }: { props: { name: string } }) {
  const json = withAddresses(await Bun.file(file).text(), config)
  return new Response(props.name === 'v1.yaml' ? openapiYaml(json) : json)
}
