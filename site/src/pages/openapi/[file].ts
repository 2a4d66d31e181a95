import { join } from 'node:path'
import config from '#content/site.config.ts'
import { exampleBase } from '#contract/derive/clinical.ts'

/**
 * The contract of the clinical API as files, so that it can be read where no gateway runs. A
 * gateway answers these addresses itself, with its own host in them.
 */
export const getStaticPaths = () =>
  ['v1.json', 'v1.yaml'].map(file => ({ params: { file }, props: { file } }))

export async function GET({ props }: { props: { file: string } }) {
  const path = join(process.cwd(), 'contract', 'generated', `openapi.${props.file}`)
  return new Response((await Bun.file(path).text()).replaceAll(exampleBase, config.api))
}
