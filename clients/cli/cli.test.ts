// The installed command line, against a real platform.

import { setDefaultTimeout } from 'bun:test'
import { commandSuite } from './commands.suite.ts'
import { completionSuite } from './completion.suite.ts'
import { devSuite } from './dev.suite.ts'
import { flagsSuite } from './flags.suite.ts'
import { guideSuite } from './guide.suite.ts'
import { listenSuite } from './listen.suite.ts'
import { loginSuite } from './login.suite.ts'
import { outputSuite } from './output.suite.ts'
import { safetySuite } from './safety.suite.ts'
import { proxySuite } from './proxy.suite.ts'
import { sandboxSuite } from './sandbox.suite.ts'
import { useCli } from './testing/use-cli.ts'
import { waitingSuite } from './waiting.suite.ts'

// Each command is a process, and a busy machine runs only a few at a time.
setDefaultTimeout(60_000)
const cli = useCli()
commandSuite(cli, () => `https://127.0.0.1:${new URL(cli.platform.base).port}/hooks`)
outputSuite(cli)
flagsSuite(cli)
safetySuite(cli)
loginSuite(cli)
listenSuite(cli)
proxySuite(cli)
sandboxSuite(cli)
completionSuite(cli)
devSuite(cli)
guideSuite(cli)
waitingSuite(cli)
