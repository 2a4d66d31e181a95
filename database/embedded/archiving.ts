// How PostgreSQL archives its write-ahead log.
import path from 'node:path'

/**
 * Settings for a server that copies its log into a folder, at least once a minute. A segment gets
 * its name there only once it's complete. If the name already exists, after a crash, the contents
 * must be identical, because a file in the archive is never replaced by a different one.
 */
export const archiving = (folder: string): Record<string, string> => {
  const file = `"${path.resolve(folder)}/%f"`
  const part = `"${path.resolve(folder)}/%f.part"`
  const copied = `cp "%p" ${part} && sync ${part} && mv ${part} ${file}`
  return {
    archive_mode: 'on',
    archive_timeout: '60',
    archive_command: `if test -f ${file}; then cmp -s "%p" ${file}; else ${copied}; fi`,
  }
}
