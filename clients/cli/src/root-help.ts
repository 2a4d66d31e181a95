// `svc --help`, in forty lines: the commands grouped by purpose.

import { exitCodes, exitMeanings } from './errors.ts'
import { families } from './families.ts'
import { filled, optionHeadline, wrapped } from './output/wrapped.ts'

const groups = ['Start', 'Watch', 'Act', 'Learn', 'Settings'] as const

/** In a narrow terminal, a command's description goes below its name. */
function line(name: string, about: string, columns: number, width: number): string {
  const text = optionHeadline(about)
  if (columns >= width + 50) return `  ${name.padEnd(width)}  ${text}`
  return `  ${name}\n${wrapped(text, columns, '      ')}`
}

const namesOf = (group: string) =>
  families.filter(family => family.group === group).map(({ name }) => name)

export function rootHelp(columns: number): string {
  const sections = groups.map(group => {
    const rows = families.filter(family => family.group === group)
    const lines = rows.map(({ name, about }) => line(name, about, columns, 10))
    return [`${group}:`, ...lines].join('\n')
  })
  return `Usage: svc <command> [options]

${sections.join('\n')}
Resources, one command per operation:
${filled(namesOf('Resources'), Math.min(columns, 78))}

${wrapped('Help for a command: svc cases create --help', columns, '')}
${wrapped('Global options and exit codes: svc help options', columns, '')}
`
}

export function optionsHelp(
  options: readonly (readonly [string, string])[],
  columns: number,
): string {
  const codes = Object.entries(exitMeanings).map(([name, meaning]) =>
    line(String(exitCodes[name as keyof typeof exitCodes]).padStart(3), meaning, columns, 3),
  )
  const order =
    'A flag wins over the environment (SVC_API_KEY, SVC_PROFILE, SVC_BASE_URL, ' +
    'SVC_ORGANIZATION, SVC_CONFIG), then ./.svc.toml, the profile and the default. ' +
    "In ./.svc.toml, base_url must be on this machine, your profile's or the default."
  return `Global options:
${options.map(([flags, about]) => line(flags, about, columns, 24)).join('\n')}

${wrapped(order, columns, '')}

Exit codes:
${codes.join('\n')}
`
}
