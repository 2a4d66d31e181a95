// Reports source changes. A burst of changes is reported once.
import fs from 'node:fs'
import path from 'node:path'

const folders = [
  'auth',
  'booking',
  'clinical',
  'console',
  'content',
  'contract',
  'database',
  'email',
  'gateway',
  'http',
  'mcp',
  'portal',
  'site',
]
const ignored =
  /(^|\/)(dist[^/]*|node_modules|testing|\.astro|\.[^/]*\.sw.|[^/]*~)(\/|$)|\.test\.tsx?$/
const quietMilliseconds = 150

export function onChange(root, report) {
  let timer
  for (const name of folders) {
    const folder = path.join(root, name)
    if (!fs.existsSync(folder)) continue
    fs.watch(folder, { recursive: true }, (_event, changed) => {
      const file = path.join(name, changed ?? '')
      if (ignored.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => report(file), quietMilliseconds)
    })
  }
}
