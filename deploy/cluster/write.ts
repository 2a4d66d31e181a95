// `deploy/cluster/write --form=systemd|compose|kubernetes --out=FOLDER`: writes the files of a
// cluster in one form, with its secrets and certificates from its own authority. Writing into the
// same folder again keeps the authority and the secrets, and renews the certificates.
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { checkoutOf } from './checkout.ts'
import { namesOf, openAuthority, writeCertificate } from './certificates.ts'
import type { Secrets } from './files/platform.ts'
import { preparationSql } from './files/database.ts'
import { composeFile, dataFolders } from './forms/compose.ts'
import { account } from './forms/containers.ts'
import { kubernetesFile } from './forms/kubernetes.ts'
import { environmentFile, systemdTree } from './forms/systemd.ts'
import { openSecrets } from './secrets.ts'
import { filesOf, deployedServicesOf } from './services.ts'
import { type Node, places, readValues, type Values } from './values.ts'

const forms = ['systemd', 'compose', 'kubernetes'] as const
type Form = (typeof forms)[number]

const tlsFiles = ['ca.pem', 'node.pem', 'node.key', 'node-and-key.pem']

function put(file: string, text: string, isSecret: boolean): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
  chmodSync(file, isSecret ? 0o640 : 0o644)
}

/** Writes a certificate into the folder that becomes the node's places.config. */
function certify(out: string, values: Values, node: Node, config: string): void {
  const authority = path.join(out, 'authority')
  writeCertificate(authority, path.join(config, 'tls'), node.name, namesOf(values, node))
}

export function writeForm(form: Form, out: string, values: Values): void {
  const checkout = checkoutOf(out)
  if (checkout !== undefined) {
    throw new Error(
      `--out must be outside the checkout ${checkout}: the folder gets secrets and private keys.`,
    )
  }
  mkdirSync(out, { recursive: true, mode: 0o700 })
  openAuthority(path.join(out, 'authority'), values)
  const secrets: Secrets = openSecrets(path.join(out, 'secrets.json'))
  for (const node of values.nodes) {
    if (form === 'systemd') {
      const tree = path.join(out, node.name)
      certify(out, values, node, path.join(tree, places.config))
      for (const one of systemdTree(values, secrets, node)) {
        put(path.join(tree, one.path), one.text, one.isSecret)
      }
      continue
    }
    const config = path.join(out, node.name)
    certify(out, values, node, config)
    if (form === 'kubernetes') continue
    for (const { name, text, isSecret = false } of filesOf(values, secrets, node)) {
      put(path.join(config, name), text, isSecret)
    }
    for (const service of deployedServicesOf(values, secrets, node)) {
      put(
        path.join(config, `${service.name}.env`),
        plainEnvironment(environmentFile(service)),
        true,
      )
    }
  }
  put(path.join(out, 'prepare.sql'), preparationSql(values, secrets.owner), true)
  if (form === 'compose') {
    put(path.join(out, 'compose.yaml'), composeFile(values, secrets), false)
    giveToContainers(out, values)
  }
  if (form === 'kubernetes') {
    const tls = ({ name }: Node) =>
      Object.fromEntries(
        tlsFiles.map(file => [file, readFileSync(path.join(out, name, 'tls', file), 'utf8')]),
      )
    put(path.join(out, 'cluster.yaml'), kubernetesFile(values, secrets, tls), true)
  }
}

/** Only root can change a file's owner. */
const isRoot = process.getuid?.() === 0

/** Containers read their files and write their data as an unnamed account. The engine's command
 *  reads their environment files. */
function giveToContainers(out: string, values: Values): void {
  const data = dataFolders(values).map(name => path.join(out, name))
  for (const folder of data) mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isRoot) return
  const read = values.nodes.flatMap(({ name }) =>
    readdirSync(path.join(out, name), { recursive: true, encoding: 'utf8' })
      .filter(file => !file.endsWith('.env'))
      .map(file => path.join(out, name, file)),
  )
  for (const one of [...data, ...read]) chownSync(one, account, account)
}

/** Removes quotes and escapes, which container engines treat as part of the value. */
const plainEnvironment = (text: string) =>
  text.replaceAll(
    /^(\w+)="(.*)"$/gm,
    (_, name: string, value: string) => `${name}=${value.replaceAll(/\\(.)/g, '$1')}`,
  )

function main(): void {
  const { values: options } = parseArgs({
    options: { form: { type: 'string' }, out: { type: 'string' }, values: { type: 'string' } },
  })
  const form = forms.find(one => one === options.form)
  if (form === undefined || options.out === undefined) {
    console.error(
      `Usage: deploy/cluster/write --form=${forms.join('|')} --out=FOLDER [--values=FILE]`,
    )
    process.exit(2)
  }
  const values = readValues(options.values)
  try {
    writeForm(form, path.resolve(options.out), values)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
  console.log(
    `Wrote files for ${values.nodes.length} nodes, with their secrets, to ${options.out}.`,
  )
  if (form === 'compose' && !isRoot) {
    console.log(`Before the containers start, ${account}:${account} must own each node's files, except *.env, and the
folders in data/. Run this as root to set that owner.`)
  }
}

if (import.meta.main) main()
