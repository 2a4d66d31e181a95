// Reports the first of a burst of changes to the sources of the house.
import fs from 'node:fs'
import path from 'node:path'

const rooms = [
  'auth',
  'clinical',
  'content',
  'contract',
  'database',
  'gateway',
  'http',
  'mcp',
  'portal',
  'site',
]
const uninteresting = /(^|\/)(dist[^/]*|node_modules|\.astro|\.[^/]*\.sw.|[^/]*~)(\/|$)|\.test\.ts$/
const quietMilliseconds = 150

export function onChange(root, report) {
  let timer
  for (const room of rooms) {
    const folder = path.join(root, room)
    if (!fs.existsSync(folder)) continue
    fs.watch(folder, { recursive: true }, (_event, name) => {
      const file = path.join(room, name ?? '')
      if (uninteresting.test(file)) return
      clearTimeout(timer)
      timer = setTimeout(() => report(file), quietMilliseconds)
    })
  }
}
