// `npm run billing`: prices, and what happens to charges and invoices outside of the API.
import { billingCommand, billingHelp } from '#clinical/billing/billing-command.ts'
import { runCredentialsCommand } from './run.ts'

runCredentialsCommand({ name: 'billing', help: billingHelp, run: billingCommand })
