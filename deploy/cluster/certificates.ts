// The cluster's own certificate authority, valid for ten years, and a certificate for each node,
// valid for one year. openssl creates the EC keys. An existing authority is reused.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostOf, type Node, proxied, type Values } from './values.ts'

const authorityDays = 3650
const nodeDays = 397

function openssl(folder: string, args: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: folder })
  if (exitCode !== 0) throw new Error(`openssl ${args[0]}: ${stderr.toString()}`)
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

export function openAuthority(folder: string, { name }: Pick<Values, 'name'>): void {
  if (existsSync(path.join(folder, 'ca.pem'))) return
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const subject = ['-subj', `/CN=${name} cluster`, '-days', String(authorityDays)]
  const use = ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']
  const out = ['-keyout', 'ca.key', '-out', 'ca.pem']
  openssl(folder, ['req', '-x509', '-batch', ...newKey, ...subject, ...use, ...out])
  chmodSync(path.join(folder, 'ca.key'), 0o600)
}

/** The names other machines use for a node. */
export function namesOf(values: Values, node: Node): string[] {
  const { postgres, redis } = proxied(values)
  return [
    `DNS:${hostOf(values, node)}`,
    'DNS:localhost',
    ...(node.role === 'database' ? [`DNS:${postgres}`] : []),
    ...(node.role === 'cache' ? [`DNS:${redis}`] : []),
    ...(node.role === 'front' ? Object.values(values.hosts).map(host => `DNS:${host}`) : []),
    `IP:${node.address}`,
  ]
}

/** Writes ca.pem, node.pem, node.key and node-and-key.pem into a folder. */
export function writeCertificate(
  authority: string,
  into: string,
  subject: string,
  names: string[],
): void {
  mkdirSync(into, { recursive: true })
  const at = (name: string) => path.join(into, name)
  const request = ['-subj', `/CN=${subject}`, '-keyout', at('node.key'), '-out', at('request')]
  openssl(into, ['req', '-new', '-batch', ...newKey, ...request])
  writeFileSync(
    at('names'),
    `subjectAltName=${names.join(',')}\nextendedKeyUsage=serverAuth,clientAuth\n`,
  )
  const by = ['-CA', path.join(authority, 'ca.pem'), '-CAkey', path.join(authority, 'ca.key')]
  const signed = ['-CAcreateserial', '-days', String(nodeDays), '-extfile', at('names')]
  openssl(into, ['x509', '-req', '-in', at('request'), ...by, ...signed, '-out', at('node.pem')])
  writeFileSync(at('ca.pem'), readFileSync(path.join(authority, 'ca.pem')))
  const both = `${readFileSync(at('node.pem'), 'utf8')}${readFileSync(at('node.key'), 'utf8')}`
  writeFileSync(at('node-and-key.pem'), both)
  for (const name of ['node.key', 'node-and-key.pem']) chmodSync(at(name), 0o600)
}
