// Implements `--help` for a program that is run by its file: prints the file's head comment.
import { readFileSync } from 'node:fs'

export function describeIfAsked(file: string): void {
  if (!process.argv.includes('--help')) return
  const comment = /^(?:\/\/.*\n)+/.exec(readFileSync(file, 'utf8'))?.[0] ?? ''
  process.stdout.write(comment.replace(/^\/\/ ?/gm, ''))
  process.exit(0)
}
