// Scripts that complete commands, their options, and the ids that were seen last. Words are in the
// script; only for an id it asks the program.

import type { Command } from 'commander'
import { globalOptions } from './arguments.ts'
import { commandsOf, mapOf, rootOf, wordsOf } from './map.ts'

const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags.split(/[ ,]/)[0] ?? flags

type Next = ReadonlyMap<string, readonly string[]>
type Ids = ReadonlyMap<string, string>

/** Of each command that takes an id first: what the id begins with. */
function prefixes(command: Command): Map<string, string> {
  const found = new Map<string, string>()
  for (const one of commandsOf(rootOf(command))) {
    const about = one.registeredArguments[0]?.description ?? ''
    const prefix = /\bbegins with ([a-z]+)_/.exec(about)?.[1]
    if (prefix !== undefined) found.set(wordsOf(one), prefix)
  }
  return found
}

/** What may follow each beginning of a command: words and options. */
function following(command: Command): Map<string, string[]> {
  const next = new Map<string, Set<string>>()
  const add = (path: string, word: string) => {
    const words = next.get(path) ?? new Set()
    next.set(path, words.add(word))
  }
  for (const { command: line, options } of mapOf(command)) {
    const words = line.split(' ')
    for (let at = 1; at < words.length; at++) add(words.slice(0, at).join(' '), words[at] ?? '')
    for (const flags of options) add(line, longOf(flags))
  }
  return new Map([...next].map(([path, words]) => [path, [...words]]))
}

const shared = globalOptions.map(([flags]) => longOf(flags)).join(' ')

const bash = (next: Next, ids: Ids) => `# bash completion of svc
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} path=svc word words ids
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path $word" ;; esac
  done
  case $path in
${[...next].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
    *) words='' ;;
  esac
  case $path in
${[...ids].map(([path, prefix]) => `    '${path}') ids=${prefix} ;;`).join('\n')}
  esac
  case $current in
    -*) words="$words ${shared}" ;;
    *) [ -z "$ids" ] || words="$words $(svc completion --ids "$ids" 2> /dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`

const zsh = (next: Next, ids: Ids) => `#compdef svc
autoload -U +X bashcompinit && bashcompinit
${bash(next, ids)}`

const fish = (next: Next, ids: Ids) => `# fish completion of svc
function __svc_path
  set -l words
  for word in (commandline -opc)
    string match -q -- '-*' $word; or set -a words $word
  end
  echo (string join ' ' $words)
end
${[...next]
  .map(
    ([path, words]) =>
      `complete -c svc -f -n "test (__svc_path) = '${path}'" -a '${words.join(' ')}'`,
  )
  .join('\n')}
${[...ids]
  .map(
    ([path, prefix]) =>
      `complete -c svc -f -n "test (__svc_path) = '${path}'" -a '(svc completion --ids ${prefix})'`,
  )
  .join('\n')}
`

const powershell = (next: Next, ids: Ids) => `# PowerShell completion of svc
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $ast, $position)
  $next = @{
${[...next].map(([path, words]) => `    '${path}' = '${words.join(' ')}'`).join('\n')}
  }
  $ids = @{
${[...ids].map(([path, prefix]) => `    '${path}' = '${prefix}'`).join('\n')}
  }
  $typed = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  if ($word) { $typed = @($typed | Select-Object -SkipLast 1) }
  $path = ($typed | Where-Object { $_ -notlike '-*' }) -join ' '
  $seen = if ($ids[$path]) { svc completion --ids $ids[$path] } else { @() }
  @("$($next[$path])".Split(' ')) + $seen | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`

const scripts: Readonly<Record<string, (next: Next, ids: Ids) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}

export const scriptOf = (shell: string, command: Command): string | undefined =>
  scripts[shell]?.(following(command), prefixes(command))
