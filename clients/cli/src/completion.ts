// Scripts that complete commands and their options. Everything is in the script: completing starts
// no process.

import type { Command } from 'commander'
import { globalOptions } from './arguments.ts'
import { mapOf } from './map.ts'

const longOf = (flags: string) => /--[\w-]+/.exec(flags)?.[0] ?? flags.split(/[ ,]/)[0] ?? flags

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

const bash = (next: Map<string, string[]>) => `# bash completion of svc
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} path=svc word words
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="$path $word" ;; esac
  done
  case $path in
${[...next].map(([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
    *) words='' ;;
  esac
  case $current in -*) words="$words ${shared}" ;; esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`

const zsh = (next: Map<string, string[]>) => `#compdef svc
autoload -U +X bashcompinit && bashcompinit
${bash(next)}`

const fish = (next: Map<string, string[]>) => `# fish completion of svc
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
`

const powershell = (next: Map<string, string[]>) => `# PowerShell completion of svc
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $ast, $position)
  $next = @{
${[...next].map(([path, words]) => `    '${path}' = '${words.join(' ')}'`).join('\n')}
  }
  $typed = @($ast.CommandElements | ForEach-Object { $_.ToString() })
  if ($word) { $typed = @($typed | Select-Object -SkipLast 1) }
  $path = ($typed | Where-Object { $_ -notlike '-*' }) -join ' '
  "$($next[$path])".Split(' ') | Where-Object { $_ -like "$word*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`

const scripts: Readonly<Record<string, (next: Map<string, string[]>) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}

export const scriptOf = (shell: string, command: Command): string | undefined =>
  scripts[shell]?.(following(command))
