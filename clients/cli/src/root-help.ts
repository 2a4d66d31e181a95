// `svc --help`, in forty lines: the commands by what they are for.

import { exitCodes, exitMeanings } from './errors.ts'
import { families } from './families.ts'

const groups = ['Start', 'Watch', 'Act', 'Learn', 'Settings'] as const

const line = (name: string, about: string) => `  ${name.padEnd(10)}  ${about}`

/** Lines of at most so many columns. */
function filled(words: readonly string[], columns: number): string {
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length + 2 > columns) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last}, ${word}`
  }
  return lines.map(one => `  ${one}`).join(',\n')
}

const namesOf = (group: string) =>
  families.filter(family => family.group === group).map(({ name }) => name)

const sections = groups.map(group => {
  const rows = families.filter(family => family.group === group)
  return [`${group}:`, ...rows.map(({ name, about }) => line(name, about))].join('\n')
})

const codes = Object.entries(exitMeanings).map(
  ([name, meaning]) =>
    `  ${String(exitCodes[name as keyof typeof exitCodes]).padStart(3)}  ${meaning}`,
)

export const rootHelp = `Usage: svc <command> [options]

${sections.join('\n')}
Resources, every operation of each (svc cases --help):
${filled(namesOf('Resources'), 74)}

Options of every command and exit codes: svc help options
`

export const optionsHelp = (options: readonly (readonly [string, string])[]) =>
  `Options of every command:
${options.map(([flags, about]) => `  ${flags.padEnd(26)}  ${about}`).join('\n')}

Settings come from a flag, the environment (SVC_API_KEY, SVC_PROFILE, SVC_BASE_URL,
SVC_ORGANIZATION, SVC_CONFIG), ./.svc.toml, the profile, and the default, in this order.

Exit codes:
${codes.join('\n')}
`
