// `svc config` and `svc completion`.

import { Option } from 'commander'
import type { Family } from '../arguments.ts'
import { usage } from '../errors.ts'
import { getSetting, isShared, setSetting, settingNames, sharedNames } from '../settings/keys.ts'

export const configFamily: Family = (command, open) => {
  const names = { ...settingNames, ...sharedNames }
  const rows = Object.entries(names).map(([name, about]) => `  ${name.padEnd(18)}  ${about}`)
  command.addHelpText('after', `\nSettings:\n${rows.join('\n')}\n`)
  command
    .command('get <name>')
    .description('print a profile setting')
    .action((name: string) => {
      const { settings, out } = open(command)
      const value = getSetting(settings.configFile, settings.profile, name)
      // base_url has a value even if this profile doesn't set it.
      const shown = value ?? (name === 'base_url' ? settings.baseUrl : undefined)
      if (shown !== undefined)
        out.text(`${Array.isArray(shown) ? shown.join(',') : String(shown)}\n`)
    })
  command
    .command('set <name> <value>')
    .description('change a profile setting')
    .action((name: string, value: string) => {
      // A project file with this URL is refused until the profile has it.
      if (name === 'base_url') command.setOptionValue('baseUrl', value)
      const { settings, out } = open(command)
      setSetting(settings.configFile, settings.profile, name, value)
      const of = isShared(name) ? '' : ` for profile ${settings.profile}`
      out.say(`Set ${name}${of} in ${settings.configFile}.`)
    })
  command
    .command('list')
    .description('print every setting with a value')
    .action(async () => {
      const { settings, out } = open(command)
      const { configFile: file, profile } = settings
      const set = Object.keys(names).flatMap(name => {
        const value = getSetting(file, profile, name)
        return value === undefined ? [] : [[name, value] as const]
      })
      await out.print({ profile, ...Object.fromEntries(set), base_url: settings.baseUrl })
    })
  command
    .command('path')
    .description('print the path of the settings file')
    .action(() => {
      const { settings, out } = open(command)
      out.text(`${settings.configFile}\n`)
    })
}

export const completionFamily: Family = (command, open) => {
  command
    .argument('[shell]', 'bash, zsh, fish or powershell')
    .argument('[words...]', 'used by the scripts')
    .addOption(new Option('--current <text>', 'the word at the cursor').hideHelp())
    .addHelpText(
      'after',
      `
Examples:
  svc completion bash > ~/.local/share/bash-completion/completions/svc
  svc completion zsh > "\${fpath[1]}/_svc"
  svc completion fish > ~/.config/fish/completions/svc.fish
  svc completion powershell >> $PROFILE
`,
    )
    .action(async (shell: string | undefined) => {
      const { current } = command.opts<{ current?: string }>()
      const { settings, out } = open(command)
      if (current !== undefined) {
        const { completed } = await import('../completion/complete.ts')
        return out.text(await completed(command, command.args, current, settings))
      }
      const { completionScripts } = await import('../completion/scripts.ts')
      const script = completionScripts[shell ?? '']
      if (script === undefined) throw usage('choose bash, zsh, fish or powershell')
      out.text(script)
    })
}
