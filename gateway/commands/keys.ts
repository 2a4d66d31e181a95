// `npm run keys`: lists, creates and revokes API keys in the database of this installation.
import { keysCommand, keysHelp } from '#auth/keys-command.ts'
import { runCredentialsCommand } from './run.ts'

runCredentialsCommand({ name: 'keys', help: keysHelp, run: keysCommand })
