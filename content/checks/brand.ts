import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import config from '../site.config.ts'
import { place } from './finding.ts'
import type { Finding } from './finding.ts'

const text = /\.(md|mdx|yaml|yml|json|ts|astro|css|svg|txt)$/
const skipped = /(^|\/)(dist|dist\.[^/]+|\.astro|node_modules)\//

/** The name stands in site.config.ts alone, so that a rename is one change of one file. */
export async function checkBrand(root: string, room: string): Promise<Finding[]> {
  const names = (await readdir(join(root, room), { recursive: true }).catch(() => [])).filter(
    name => text.test(name) && !skipped.test(`${name}/`) && !name.endsWith('site.config.ts'),
  )
  const found = await Promise.all(
    names.sort().map(async name => {
      const path = `${room}/${name}`
      const source = await Bun.file(join(root, path)).text()
      return [...source.matchAll(new RegExp(`\\b${config.name}\\b`, 'g'))].map(hit => {
        const where = place(source, hit.index, 1)
        // Where words stand, the name is put in; where code stands, it has to be asked for.
        const isText = /\.(md|ya?ml|json)$/.test(path)
        const edit = { ...where, length: config.name.length, text: '{brand}' }
        return {
          path,
          ...where,
          rule: 'B-brand',
          message: `the name “${config.name}” is written out`,
          fix: 'write {brand}; content/site.config.ts knows the name',
          edit: isText ? edit : undefined,
        }
      })
    }),
  )
  return found.flat()
}
