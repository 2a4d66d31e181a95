// `npm run grants`: the clinics of this installation, and what integrations ask of them.
import { grantsCommand, grantsHelp } from '#auth/grants/grants-command.ts'
import { runCredentialsCommand } from './run.ts'

runCredentialsCommand({ name: 'grants', help: grantsHelp, run: grantsCommand })
