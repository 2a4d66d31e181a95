// Scripts that let a shell get completions from the program. The scripts don't list commands, so
// they work with every later version.

const bash = `# bash completion of svc
_svc() {
  local line=\${COMP_LINE:0:COMP_POINT} current= prefix one last
  local -a words
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    last=$((\${#words[@]} - 1))
    current=\${words[last]}
    unset "words[last]"
  fi
  # bash replaces what follows the last of these characters, and not the whole word.
  prefix=\${current%"\${current##*[:=]}"}
  COMPREPLY=()
  while IFS=$'\\t' read -r one _; do
    COMPREPLY+=("\${one#"$prefix"}")
  done < <(svc completion --current "$current" -- "\${words[@]:1}" 2> /dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *= ]] && compopt -o nospace 2> /dev/null
}
complete -o default -F _svc svc
`

const zsh = `#compdef svc
_svc() {
  local line one about
  local -a plain open
  for line in "\${(@f)$(svc completion --current "$PREFIX" -- "\${(@)words[2,CURRENT-1]}" 2> /dev/null)}"; do
    one=\${line%%$'\\t'*}
    [[ -z $one ]] && continue
    if [[ $one == *= ]]; then open+=("$one"); else plain+=("$one"); fi
  done
  (( $#plain )) && compadd -- $plain
  (( $#open )) && compadd -S '' -- $open
  (( $#plain + $#open )) || _files
}
if [[ $funcstack[1] == _svc ]]; then _svc "$@"; else compdef _svc svc; fi
`

const fish = `# fish completion of svc
function __svc_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l found (svc completion --current "$current" -- $words[2..-1] 2> /dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path "$current"
  end
end
complete -c svc -f -a '(__svc_complete)'
`

const powershell = `# PowerShell completion of svc
Register-ArgumentCompleter -Native -CommandName svc -ScriptBlock {
  param($word, $ast, $position)
  $typed = @($ast.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.EndOffset -lt $position -or -not $word } |
    ForEach-Object { $_.Extent.Text.Trim('"', "'") })
  svc completion "--current=$word" -- @typed 2> $null | ForEach-Object {
    $one, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $one }
    [System.Management.Automation.CompletionResult]::new($one, $one, 'ParameterValue', $about)
  }
}
`

export const completionScripts: Readonly<Record<string, string>> = { bash, zsh, fish, powershell }
