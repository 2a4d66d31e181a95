import { join } from 'node:path'
import config from '#content/site.config.ts'
import { withAddresses } from '#contract/derive/clinical.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'

const folder = join(process.cwd(), 'contract', 'generated')

/**
 * The contracts of the clinical API and of its preview as files, for hosts of static files. The
 * gateway answers these addresses itself, with its own host in them.
 */
export const getStaticPaths = () =>
  ['v1', 'preview'].flatMap(name =>
    ['json', 'yaml'].map(type => ({ params: { file: `${name}.${type}` }, props: { name, type } })),
  )

export async function GET({ props }: { props: { name: string; type: string } }) {
  const file = join(folder, `openapi.${props.name}.json`)
  const json = withAddresses(await Bun.file(file).text(), config)
  return new Response(props.type === 'yaml' ? openapiYaml(json) : json)
}
