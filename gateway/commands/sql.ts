// `npm run admin -- sql`: a prompt on the platform's database.
import { promptHelp, runPrompt } from '#database/prompt.ts'
import { readConfig } from '../settings/config.ts'
import type { Command } from './command.ts'
import { ownerUrl } from './owner-url.ts'

export const prompt: Command = {
  help: promptHelp,
  run: words => runPrompt(ownerUrl(readConfig()), words.join(' ')),
}
