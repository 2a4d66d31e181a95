// `npm run clients`: lists, creates and revokes OAuth clients and their secrets.
import { clientsCommand, clientsHelp } from '#auth/clients-command.ts'
import { runCredentialsCommand } from './run.ts'

runCredentialsCommand({ name: 'clients', help: clientsHelp, run: clientsCommand })
