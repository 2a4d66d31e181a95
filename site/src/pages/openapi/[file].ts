import config from '#content/site.config.ts'
import { withAddresses } from '#contract/derive/clinical.ts'
import { documents } from '#contract/derive/documents.ts'
import { openapiYaml } from '#contract/derive/yaml.ts'

type Props = { name: 'v1' | 'preview'; type: string }

/**
 * The contracts of the clinical API and its preview as files, for static hosts. The gateway serves
 * these URLs itself, with its own host in them.
 */
export const getStaticPaths = () =>
  ['v1', 'preview'].flatMap(name =>
    ['json', 'yaml'].map(type => ({ params: { file: `${name}.${type}` }, props: { name, type } })),
  )

export function GET({ props: { name, type } }: { props: Props }) {
  const json = withAddresses(documents[`openapi.${name}.json`](), config)
  return new Response(type === 'yaml' ? openapiYaml(json) : json)
}
