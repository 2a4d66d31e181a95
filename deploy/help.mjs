// `--help` of a program that has none of its own: the comment at its head, which says how it is used.
import fs from 'node:fs'
import path from 'node:path'
import { root } from './install.mjs'

/** Prints it and exits, where `--help` is among the words. */
export function helpOf(file, words = process.argv.slice(2)) {
  const source = path.join(root, file)
  if (!words.includes('--help') || !fs.existsSync(source)) return
  const text = fs.readFileSync(source, 'utf8')
  const comment = /^(?:\/\/.*\n)+/.exec(text)?.[0]
  // A program whose text names its help prints that itself.
  if (comment === undefined || /\bhelp\b|[a-z]Help\b/.test(text)) return
  process.stdout.write(comment.replace(/^\/\/ ?/gm, ''))
  process.exit(0)
}
