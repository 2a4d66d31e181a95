import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import config from '../site.config.ts'
import { place } from '../finding.ts'
import type { Finding } from '../finding.ts'

const text = /\.(md|mdx|yaml|yml|json|ts|astro|css|svg|txt)$/
const skipped = /(^|\/)(dist|dist\.[^/]+|\.astro|node_modules)\//

/** Only site.config.ts may contain the company's name, so a rename changes one file. */
export async function checkBrand(
  root: string,
  folder: string,
  formerNames: readonly string[] = config.formerNames,
): Promise<Finding[]> {
  const known = [config.name, ...formerNames].map(name => RegExp.escape(name))
  const everyName = new RegExp(`\\b(?:${known.join('|')})\\b`, 'g')
  const names = (await readdir(join(root, folder), { recursive: true }).catch(() => [])).filter(
    name => text.test(name) && !skipped.test(`${name}/`) && !name.endsWith('site.config.ts'),
  )
  const found = await Promise.all(
    names.sort().map(async name => {
      const path = `${folder}/${name}`
      const source = await Bun.file(join(root, path)).text()
      return [...source.matchAll(everyName)].map(hit => {
        const where = place(source, hit.index, 1)
        // Text uses a placeholder; code has to import the name.
        const isText = /\.(md|ya?ml|json)$/.test(path)
        const edit = { ...where, length: hit[0].length, text: '{brand}' }
        const isOld = hit[0] !== config.name
        return {
          path,
          ...where,
          rule: isOld ? 'B-old' : 'B-brand',
          message: isOld
            ? `“${hit[0]}” is a former name and must not be used`
            : `the name “${config.name}” must not be written out`,
          fix: 'write {brand}, which content/site.config.ts defines',
          edit: isText ? edit : undefined,
        }
      })
    }),
  )
  return found.flat()
}
