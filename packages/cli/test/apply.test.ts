import { hash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { createClockHook } from '../../server/test/clock-hook.ts'
import { runFramegate, startFramegate, waitFor, type Outcome } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'
import { hasTerminal, runOnTerminal } from './terminal.ts'

let service: StartedService
let isOpen = false
beforeEach(async () => {
  if (!isOpen) service = await startService()
  isOpen = true
})
// The next test uses the same installation if this one has changed nothing.
afterEach(async () => {
  if ((await auditLength()) > 0) await close()
})
afterAll(close)

async function close(): Promise<void> {
  if (isOpen) await service.close()
  isOpen = false
}

const example = `
port: 9000
brands:
  - name: Northern Lights
    hosts: [Video.Example.com., bücher.example]
    result_origin: https://Media.example.com/
    tasks_in_flight_max: 200
    models:
      - { model: imgA_5.0Pro, visibility: invocable, title: Aurora }
    prices:
      - { model: imgA_5.0Pro, price: { unit: task, credits: { '*': 0.5 } } }
accounts:
  - name: Studio North
    brand: Northern Lights
    credits_in_flight_max: 12.5
    over_limit: wait
    grants:
      - { reference: invoice-2026-017, amount: 250, note: thank you, expires_at: 2100-01-01 }
    keys:
      - { name: website, scopes: [tasks:read, tasks:write], spent_per_day_max: 50, expires_at: 2100-01-01T12:00Z }
    prices:
      - { model: vidDq3-turbo, price: { unit: second, credits: { 540p: 0.03, '*': 0.05 } } }
      - { model: vidDq3-turbo, price: null, effective_at: 2100-01-01 }
prices:
  - { model: imgA-5.0, price: { unit: image, credits: { '*': 0.03 }, rounding: { to: 0.01, direction: up } } }
`

function write(text: string): string {
  const file = join(service.cwd, 'framegate.yaml')
  writeFileSync(file, text)
  return file
}

const waitNotice = /^.*may send at most \d+ requests per second.*sent again in \d+ s\.\n/gm

/**
 * Runs a command. On a fast machine, the commands of a test may reach the operator's rate limit and
 * wait.
 */
async function run(args: string[]): Promise<Outcome> {
  const outcome = await service.run(args)
  return { ...outcome, stderr: outcome.stderr.replaceAll(waitNotice, '') }
}

const apply = (...options: string[]): Promise<Outcome> => run(['apply', '-f', 'framegate.yaml', ...options])

// `any` because a test reads the expected fields and fails if they are missing.
// oxlint-disable-next-line typescript/no-explicit-any
async function runJson(...args: string[]): Promise<any> {
  const { exitCode, stdout, stderr } = await run([...args, '--json'])
  expect([exitCode, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

async function expectNothingToChange(): Promise<void> {
  expect(await apply('--yes')).toEqual({ exitCode: 0, stdout: 'Nothing to change.\n', stderr: '' })
  expect(await apply('--dry-run')).toEqual({ exitCode: 0, stdout: 'Nothing to change.\n', stderr: '' })
}

/** Behavior of the proxy for one request. */
type Fault = 'no request' | 'no response' | 'late response' | 'late loss' | 'not an object' | 'status 503'

const lateResponseMs = 1_500

/** Starts a proxy of a service that loses the requests or responses that `faultOf` selects. */
async function startLossyProxy(serviceUrl: string, faultOf: (incoming: IncomingMessage) => Fault | undefined) {
  let faults = 0
  const proxy = createServer((incoming, response) => {
    const fault = faultOf(incoming)
    if (fault !== undefined) faults++
    if (fault === 'no request') return
    const { method, headers } = incoming
    const outgoing = request(new URL(incoming.url ?? '', serviceUrl), { method, headers }, (message) => {
      if (fault === 'no response') incoming.socket.destroy()
      else if (fault === 'late loss') setTimeout(() => incoming.socket.destroy(), lateResponseMs)
      else if (fault === 'not an object') response.writeHead(message.statusCode ?? 0).end('<html>')
      else if (fault === 'status 503')
        response.writeHead(503).end(JSON.stringify({ error: { code: 'overloaded', message: 'Busy.' } }))
      else {
        const respond = () => void message.pipe(response.writeHead(message.statusCode ?? 0, message.headers))
        setTimeout(respond, fault === 'late response' ? lateResponseMs : 0)
      }
    })
    incoming.pipe(outgoing)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${new URL(serviceUrl).pathname}`,
    hasFault: () => faults > 0,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

const sixtyHosts = (prefix: string): string =>
  JSON.stringify(Array.from({ length: 60 }, (_, index) => `${prefix}${index}.example`))

const sixtyHostsEach = (first: string, second: string): string =>
  `brands:\n  - { name: One, hosts: ${sixtyHosts(first)} }\n  - { name: Two, hosts: ${sixtyHosts(second)} }\n`

const isForSecret = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /\/(keys|webhooks|rotate|rotate-secret)$/.test(url)

/** A public address, to which no event is sent. */
const webhookUrl = 'https://1.1.1.1/hook'

const grantWith = (expiry: string): string => `accounts: [{ name: A, grants: [{ reference: r, amount: 5, note: n${expiry} }] }]`

const requestsForTime = ({ url }: IncomingMessage): Fault | undefined => (url?.endsWith('/tasks') ? 'no request' : undefined)

const losesNewKeyLate = ({ method, url }: IncomingMessage): Fault | undefined =>
  method === 'POST' && url?.endsWith('/keys') === true ? 'late loss' : undefined

const auditLength = async (): Promise<number> =>
  (await service.client.request<{ items: unknown[] }>({ method: 'GET', path: '/admin/v1/audit', query: { limit: 100 } })).items
    .length

const hostsByBrand = async () =>
  (await runJson('brands', 'list')).items.map(({ name, hosts }: Record<string, unknown>) => [name, hosts])

describe('framegate apply', () => {
  it('framegate apply plans a file, applies it, and then finds nothing to change', async () => {
    write(example)
    const planned = await apply('--dry-run')
    expect([planned.exitCode, planned.stderr]).toEqual([4, ''])
    expect(planned.stdout).toBe(
      `+ create brand "Northern Lights"
    hosts: video.example.com, xn--bcher-kva.example
    result_origin: https://media.example.com
    tasks_in_flight_max: 200
~ change model imgA_5.0Pro of brand "Northern Lights"
    visibility: none -> invocable
    title: none -> Aurora
+ create account "Studio North" of brand "Northern Lights"
    credits_in_flight_max: 12.5
    over_limit: wait
+ create grant "invoice-2026-017" to account "Studio North" of brand "Northern Lights"
    amount: 250
    note: thank you
    expires_at: 2100-01-01T00:00:00Z
+ create key "website" of account "Studio North" of brand "Northern Lights"
    scopes: tasks:read, tasks:write
    spent_per_day_max: 50
    expires_at: 2100-01-01T12:00:00Z
+ create price of imgA-5.0 for all
    price: per image 0.03 (*), rounded up to 0.01
+ create price of imgA_5.0Pro for brand "Northern Lights"
    price: per task 0.5 (*)
+ create price of vidDq3-turbo for account "Studio North" of brand "Northern Lights"
    price: per second 0.03 (540p), 0.05 (*)
- remove price of vidDq3-turbo for account "Studio North" of brand "Northern Lights" from 2100-01-01T00:00:00Z
    price: per second 0.03 (540p), 0.05 (*) -> none
`,
    )
    expect((await runJson('accounts', 'list')).items).toHaveLength(1)

    const applied = await apply('--yes')
    expect(applied.exitCode).toBe(0)
    const [key] = /^fg_live_\S+$/m.exec(applied.stdout) ?? []
    expect(applied.stderr).toMatch(/done: \+ create key "website".*\nSecret of the key website .*\n.*\n?/)
    expect(applied.stderr).toContain('9 changes made.')
    const account = (await runJson('accounts', 'list')).items.find(({ name }: { name: string }) => name === 'Studio North')
    expect(account).toMatchObject({ balance: 250, credits_in_flight_max: 12.5, over_limit: 'wait', tasks_in_flight_max: null })
    expect((await service.run(['tasks', 'list'], { FRAMEGATE_API_KEY: key ?? '' })).stderr).toContain('invalid_api_key')
    const listed = (await runJson('keys', 'list', '--account', account.id)).items
    expect(listed).toMatchObject([{ name: 'website', spent_per_day_max: 50, expires_at: 4_102_488_000 }])
    expect(await runJson('prices', 'show', 'vidDq3-turbo', '--account', account.id)).toMatchObject({
      from: 'account',
      later: [{ price: null, effective_at: 4_102_444_800 }],
    })

    const lines = await auditLength()
    await expectNothingToChange()
    expect(await auditLength()).toBe(lines)
  })

  it('a price of a later time is not applied early by a machine whose clock is ahead', async () => {
    const startSeconds = Math.floor(Date.now() / 1000) + 3_600
    const startTime = new Date(startSeconds * 1000).toISOString()
    write(`prices:\n  - { model: imgA-5.0, price: { unit: task, credits: { '*': 7 } }, effective_at: ${startTime} }\n`)
    const clock = createClockHook(service.cwd)
    clock.setAhead(2 * 3_600_000)
    const { cwd, baseUrl, apiKey } = service
    const env = { FRAMEGATE_URL: baseUrl, FRAMEGATE_API_KEY: apiKey, ...clock.environment }
    const applied = await runFramegate(['apply', '-f', 'framegate.yaml', '--yes'], { cwd, env })
    expect(applied).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('1 change made.') })
    expect((await runJson('prices', 'list')).items.filter(({ model }: { model: string }) => model === 'imgA-5.0')).toMatchObject([
      { state: 'later', effective_at: startSeconds },
    ])
    await expectNothingToChange()
  })

  it('a file with more keys than the rate limit allows per second is applied completely', async () => {
    const keys = Array.from({ length: 120 }, (_, index) => `      - { name: key ${index} }`)
    write(['accounts:', '  - name: Studio North', '    keys:', ...keys, ''].join('\n'))
    expect(await apply('--yes')).toMatchObject({ exitCode: 0 })
    await expectNothingToChange()
  })

  it('an applied file sets the color of a brand, and its logo from an image in the folder of the file', async () => {
    mkdirSync(join(service.cwd, 'look'))
    const logo = join(service.cwd, 'look', 'logo.png')
    writeFileSync(logo, plainPng(64, 64))
    const brandDeclaration = "brands: [{ name: Northern Lights, color: '#1A7F64', logo: look/logo.png }]"
    write(brandDeclaration)
    const planned = await apply('--dry-run')
    const digest = () => `sha256:${hash('sha256', readFileSync(logo))}`
    expect(planned.stdout).toBe(`+ create brand "Northern Lights"\n    color: #1a7f64\n    logo: ${digest()}\n`)
    expect((await apply('--yes')).exitCode).toBe(0)
    await expectNothingToChange()
    writeFileSync(logo, plainPng(32, 32))
    expect((await apply('--yes')).exitCode).toBe(0)
    const { items } = await runJson('brands', 'list')
    expect(items).toContainEqual(expect.objectContaining({ color: '#1a7f64', logo: digest() }))
    write('brands: [{ name: Northern Lights, color: null, logo: null }]')
    expect((await apply('--yes')).exitCode).toBe(0)
    await expectNothingToChange()
    write(brandDeclaration.replace('logo.png', 'none.png'))
    const missingLogo = await apply('--yes')
    expect([missingLogo.exitCode, missingLogo.stderr]).toEqual([
      2,
      expect.stringContaining('brands[0].logo is look/none.png, but that file does not exist.'),
    ])
  })

  it('an edited file changes only the fields that differ', async () => {
    write(example)
    await apply('--yes')
    const changed = example
      .replace('Video.Example.com., ', '')
      .replace('title: Aurora', 'title: null')
      .replace('over_limit: wait', 'over_limit: refuse')
      .replace('spent_per_day_max: 50', 'spent_per_day_max: null')
      .replace("'*': 0.03 }", "'*': 0.04 }")
      .replace('scopes: [tasks:read, tasks:write]', 'scopes: [tasks:write, tasks:read]')
    write(changed)
    expect((await apply('--dry-run')).stdout).toBe(
      `~ change brand "Northern Lights"
    hosts: video.example.com, xn--bcher-kva.example -> xn--bcher-kva.example
~ change model imgA_5.0Pro of brand "Northern Lights"
    title: Aurora -> none
~ change account "Studio North" of brand "Northern Lights"
    over_limit: wait -> refuse
~ change key "website" of account "Studio North" of brand "Northern Lights"
    spent_per_day_max: 50 -> none
~ change price of imgA-5.0 for all
    price: per image 0.03 (*), rounded up to 0.01 -> per image 0.04 (*), rounded up to 0.01
`,
    )
    const { changes, keys } = JSON.parse((await apply('--yes', '--json')).stdout)
    expect(changes).toHaveLength(5)
    expect(changes[0]).toEqual({
      action: 'change',
      kind: 'brand',
      name: '"Northern Lights"',
      fields: [{ field: 'hosts', before: ['video.example.com', 'xn--bcher-kva.example'], after: ['xn--bcher-kva.example'] }],
      done: true,
    })
    expect(keys).toEqual([])
    await expectNothingToChange()

    const { id } = (await runJson('accounts', 'list')).items.find(({ name }: { name: string }) => name === 'Studio North')
    write(`accounts:\n  - { id: ${id}, name: Studio South, status: suspended }\n`)
    expect((await apply('--yes')).stdout).toContain('name: Studio North -> Studio South')
    expect(await runJson('accounts', 'get', id)).toMatchObject({ name: 'Studio South', status: 'suspended', balance: 250 })
  })

  it('framegate apply removes undeclared items only with --prune, and never an operator or credits', async () => {
    write(example)
    await apply('--yes')
    await runJson('accounts', 'create', 'A guest')
    write(`
brands:
  - { name: Northern Lights, models: [], prices: [] }
accounts:
  - { name: Studio North, brand: Northern Lights, keys: [], prices: [] }
prices: []
`)
    await expectNothingToChange()
    const pruned = await apply('--prune', '--yes')
    expect([pruned.exitCode, pruned.stdout]).toEqual([
      0,
      `- remove model imgA_5.0Pro of brand "Northern Lights"
    visibility: invocable -> none
    title: Aurora -> none
- remove price of imgA-5.0 for all
    price: per image 0.03 (*), rounded up to 0.01 -> none
- remove price of imgA_5.0Pro for brand "Northern Lights"
    price: per task 0.5 (*) -> none
- remove price of vidDq3-turbo for account "Studio North" of brand "Northern Lights"
    price: per second 0.03 (540p), 0.05 (*) -> none
- remove key "website" of account "Studio North" of brand "Northern Lights"
- remove account "A guest" of brand "Framegate"
    status: active -> closed
`,
    ])
    expect(await apply('--prune', '--yes')).toMatchObject({ stdout: 'Nothing to change.\n' })
    const states = (await runJson('accounts', 'list')).items.map(({ name, status, balance }: Record<string, unknown>) => [
      name,
      status,
      balance,
    ])
    expect(states).toEqual([
      ['Default', 'active', 1_000_000],
      ['Studio North', 'active', 250],
      ['A guest', 'closed', 0],
    ])
  })

  it('an applied file moves hosts and the default flag between brands', async () => {
    write(`
brands:
  - { name: One, hosts: [a.example, b.example] }
  - { name: Two, hosts: [c.example] }
`)
    await apply('--yes')
    write(`
brands:
  - { name: One, hosts: [c.example, b.example] }
  - { name: Two, hosts: [a.example], default: true }
  - { id: brand_default, name: Framegate, hosts: [old.example] }
`)
    expect(await apply('--yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(
        /^framegate\.yaml:4:38: brands\[1\]\.default would take over the host 127\.0\.0\.1, which this command uses/,
      ),
    })
    write(`
brands:
  - { name: One, hosts: [c.example, b.example] }
  - { name: Two, hosts: [a.example], default: true }
  - { id: brand_default, name: Framegate, hosts: [127.0.0.1] }
`)
    expect((await apply('--yes')).exitCode).toBe(0)
    const brands = (await runJson('brands', 'list')).items.map(({ name, hosts, is_default }: Record<string, unknown>) => [
      name,
      hosts,
      is_default,
    ])
    expect(brands).toEqual([
      ['Framegate', ['127.0.0.1'], false],
      ['One', ['c.example', 'b.example'], false],
      ['Two', ['a.example'], true],
    ])
    await expectNothingToChange()
  })
})

describe('framegate apply while hosts move', () => {
  it('a host stays with its brand until one change moves it to another brand', async () => {
    write(`
brands:
  - { name: One, hosts: [a.example] }
  - { name: Two, hosts: [b.example] }
`)
    await apply('--yes')
    write(`
brands:
  - { name: One, hosts: [b.example] }
  - { name: Two, hosts: [a.example] }
  - { name: Three, hosts: [c.example] }
`)
    service.damage("create trigger no_two before update on brands when new.name = 'Two' begin select raise(abort, 'no'); end")
    expect((await apply('--yes')).exitCode).toBe(1)
    expect(await hostsByBrand()).toEqual([
      ['Framegate', []],
      ['One', ['a.example']],
      ['Two', ['b.example']],
    ])
    service.damage('drop trigger no_two')
    service.damage("create trigger no_three before insert on brands begin select raise(abort, 'no'); end")
    expect((await apply('--yes')).exitCode).toBe(1)
    expect(await hostsByBrand()).toEqual([
      ['Framegate', []],
      ['One', ['b.example']],
      ['Two', ['a.example']],
    ])
    service.damage('drop trigger no_three')
    expect((await apply('--yes')).stdout).toBe('+ create brand "Three"\n    hosts: c.example\n')
    await expectNothingToChange()
  })

  it('an exchange of hosts that would exceed the limit of a brand in between is rejected before any change', async () => {
    write(sixtyHostsEach('a', 'b'))
    await apply('--yes')
    write(sixtyHostsEach('b', 'a'))
    expect(await apply('--yes')).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'framegate.yaml:2:18: brands[0].hosts and the hosts that this file moves away are more than 100 together; ' +
        'move some of them with an earlier file.\nNothing was changed.\n',
    })
  })
})

describe('framegate apply with an invalid file', () => {
  it('an invalid file is rejected with every violation, its line, column and field, before any change', async () => {
    write(`brands:
  - name: Northern Lights
    hosts: [https://a.example, b.example]
    colour: blue
  - hosts: [b.example]
    tasks_in_flight_max: 1.5
accounts:
  - name: A
    credits_in_flight_max: 0.12345678
    keys:
      - { name: k, scopes: [read] }
    grants:
      - { reference: r, amount: 0, expires_at: soon }
      - { reference: s, amount: 1, expires_at: 1.12.2027 }
      - { reference: t, amount: 1, expires_at: 2027-02-29 }
      - { reference: u, amount: 1, expires_at: 2027 }
prices: none
acounts: []
`)
    const { exitCode, stdout, stderr } = await apply('--yes')
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr.trimEnd().split('\n')).toEqual([
      'framegate.yaml:4:5: brands[0].colour is not a known field; the fields are id, name, hosts, result_origin, color, logo, other_models, tasks_in_flight_max, credits_in_flight_max, prompt_retention_days, default, models, prices.',
      'framegate.yaml:5:5: brands[1] must have name.',
      'framegate.yaml:6:5: brands[1].tasks_in_flight_max must be a whole number from 1 to 1000000, or null for no limit.',
      'framegate.yaml:9:5: accounts[0].credits_in_flight_max must have at most six decimals.',
      'framegate.yaml:11:20: accounts[0].keys[0].scopes must be a list of tasks:write, tasks:read, webhooks:write, admin.',
      'framegate.yaml:13:25: accounts[0].grants[0].amount must be a number of credits from 0.000001 to 1000000000.',
      'framegate.yaml:13:36: accounts[0].grants[0].expires_at must be a time such as 2027-01-01 or 2027-01-01T12:00Z, or Unix seconds.',
      'framegate.yaml:14:36: accounts[0].grants[1].expires_at must be a time such as 2027-01-01 or 2027-01-01T12:00Z, or Unix seconds.',
      'framegate.yaml:15:36: accounts[0].grants[2].expires_at must be a time such as 2027-01-01 or 2027-01-01T12:00Z, or Unix seconds.',
      'framegate.yaml:16:36: accounts[0].grants[3].expires_at must be a time such as 2027-01-01 or 2027-01-01T12:00Z, or Unix seconds.',
      'framegate.yaml:17:1: prices must be a list with one "- name: …" per item.',
      'framegate.yaml:18:1: acounts is not known; did you mean accounts?',
      'Nothing was changed.',
    ])
  })

  it('a file with conflicts within it or with the installation is rejected', async () => {
    await runJson('brands', 'create', 'Elsewhere', '--host', 'taken.example')
    const { id } = await runJson('accounts', 'create', 'A')
    await service.client.request({
      method: 'POST',
      path: `/admin/v1/accounts/${id}/grants`,
      body: { amount: 5, reference: 'r' },
    })
    write(`brands:
  - { name: One, hosts: [no host] }
  - { name: One }
`)
    expect((await apply('--yes')).stderr.split('\n').slice(0, 2)).toEqual([
      'framegate.yaml:2:26: brands[0].hosts[0] must be a host name such as video.example.com, without scheme, port and path.',
      'framegate.yaml:3:7: brands[1].name repeats the value of line 2.',
    ])
    write(`brands:
  - name: One
    hosts: [taken.example]
    default: true
    models: [{ model: imgA 5.0, visibility: hidden }]
accounts:
  - { name: A, brand: Framegate, grants: [{ reference: r, amount: 6 }] }
  - name: A
    keys: [{ name: k, models: [none] }]
  - { name: B, brand: Nowhere }
prices:
  - { model: imgA-5.0, price: { unit: second, credits: { '*': 1 } } }
`)
    const { exitCode, stderr } = await apply('--yes')
    expect(exitCode).toBe(2)
    expect(stderr.trimEnd().split('\n')).toEqual([
      'framegate.yaml:3:5: brands[0].hosts has taken.example, which belongs to the brand "Elsewhere"; to move the host, also declare that brand without it.',
      'framegate.yaml:4:5: brands[0].default requires the brand "Framegate" to have a host; without a host, the keys of a brand work only while it is the default.',
      'framegate.yaml:5:16: brands[0].models[0].model must be a Model ID; there is no model "imgA 5.0".',
      'framegate.yaml:7:59: accounts[0].grants[0].amount was already granted with 5 credits. Each reference can be used for one grant; use another one to grant more.',
      'framegate.yaml:9:23: accounts[1].keys[0].models has "none", which is not a Model ID.',
      'framegate.yaml:10:16: accounts[2].brand is not the name or id of a brand.',
      'framegate.yaml:12:24: prices[0].price was rejected: The price must have the unit task or image.',
      'Nothing was changed.',
    ])
    expect((await runJson('brands', 'list')).items).toHaveLength(2)
  })

  it('a file with two entries for one account is rejected, and the former name of an account does not match it', async () => {
    write(`
brands: [{ name: North }]
accounts: [{ name: Old }, { name: Guest }, { name: Guest, brand: North }]
`)
    await apply('--yes')
    const { items } = await runJson('accounts', 'list')
    const idOf = (name: string, isInNorth = false): string =>
      items.find((account: { name: string; brand: string }) => {
        return account.name === name && (account.brand !== 'brand_default') === isInNorth
      }).id
    write(`accounts:
  - { id: ${idOf('Old')}, name: New }
  - { name: Old, grants: [{ reference: r, amount: 5 }] }
  - { id: ${idOf('Guest', true)}, name: Guest, over_limit: wait }
  - { name: Guest, brand: North }
`)
    const { exitCode, stderr } = await apply('--yes')
    expect([exitCode, stderr.trimEnd().split('\n')]).toEqual([
      2,
      [
        'framegate.yaml:3:5: accounts[1] repeats the account of line 2.',
        'framegate.yaml:5:5: accounts[3] repeats the account of line 4.',
        'Nothing was changed.',
      ],
    ])
    write(`accounts:
  - { id: ${idOf('Guest', true)}, name: Guest, over_limit: wait }
  - { name: Guest, over_limit: wait }
`)
    expect(await apply('--yes')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^~ change account "Guest" of brand "North"\n.*\n~ change account "Guest" of brand "Framegate"\n.*\n$/,
      ),
    })
  })

  it('a file that changes the expiry of an existing grant is rejected', async () => {
    write(grantWith(', expires_at: 2100-01-01'))
    expect((await apply('--yes')).exitCode).toBe(0)
    write(grantWith(', expires_at: 2101-01-01'))
    expect(await apply('--yes')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'accounts[0].grants[0].expires_at cannot change, because the credits were already granted; they expire: 2100-01-01T00:00:00Z.',
      ),
    })
    write(grantWith(''))
    await expectNothingToChange()
  })

  it('a file is rejected if it is missing, is not YAML or declares nothing', async () => {
    for (const [text, expected] of [
      ['brands: [', /^framegate\.yaml:\d+:\d+: the file is not YAML/],
      ['port: 9000', /^framegate\.yaml:1:1: the file has nothing to apply/],
      ['brands: [a]', /^framegate\.yaml:1:10: brands\[0\] must be a map with name\./],
      ['brands: &a\n  - { name: x, hosts: *a }', /^framegate\.yaml:/],
    ] as const) {
      write(text)
      expect(await apply('--yes')).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringMatching(expected) })
    }
    const nested = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${Array(9).fill(`*x${n}`).join(', ')}]`)
    const manyKeys = Array.from({ length: 40_000 }, (_, n) => `key${n}: 1\n`).join('')
    const manyAliases = `x: &x 1\ny:\n${'- *x\n'.repeat(16_000)}`
    for (const [text, expected] of [
      [
        `x0: &x0 [1, 2]\n${nested.join('\n')}\nbrands: []`,
        '1:1: the file has more than 100000 values after its aliases are expanded.',
      ],
      [`${manyKeys}${manyKeys}`, '1:1: the file has more than 50000 lines, entries and brackets.'],
      [`brands: []\n# ${'x'.repeat(1024 * 1024)}`, ' is larger than 1048576 bytes.'],
      [`${manyAliases}y: 2\n`, '16003:1: the file is not YAML: Map keys must be unique.'],
      ['x: &x { a: 1, a: 2 }\ny: [*x, *x]\nbrands: []', '1:15: the file is not YAML: Map keys must be unique.\nNothing'],
      [`${'? '.repeat(100)}a\n`, '1:3: the file is not YAML: A map key must be a scalar.\n'],
      ['accounts: *all\n', '1:11: the file is not YAML: An alias must follow the anchor that it names.\nNothing'],
    ] as const) {
      write(text)
      const startMs = performance.now()
      expect(await apply('--yes')).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining(`framegate.yaml${expected[0] === ' ' ? '' : ':'}${expected}`),
      })
      expect(performance.now() - startMs).toBeLessThan(10_000)
    }
    write('bootstrap_key: @fg_live_secret\nbrands: []')
    expect((await apply('--yes')).stderr).toMatch(/^framegate\.yaml:1:16: the file is not YAML: (?!.*secret)/)
    expect(await service.run(['apply', '-f', 'absent.yaml'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('absent.yaml cannot be read: ENOENT.'),
    })
  })
})

describe('framegate apply making changes', () => {
  it.each(['apply', 'keys create', 'keys rotate', 'webhooks create', 'webhooks rotate'])(
    'framegate %s says that a secret may be lost if the response with it is lost',
    async (command) => {
      write('accounts: [{ name: A, keys: [{ name: website }] }]')
      const { id } = await runJson('accounts', 'create', 'B')
      const key = await runJson('keys', 'create', '--account', id)
      const webhook = await runJson('webhooks', 'create', webhookUrl)
      const args = {
        apply: ['apply', '-f', 'framegate.yaml', '--yes'],
        'keys create': ['keys', 'create', '--account', id],
        'keys rotate': ['keys', 'rotate', key.id],
        'webhooks create': ['webhooks', 'create', webhookUrl],
        'webhooks rotate': ['webhooks', 'rotate', webhook.id],
      }[command]
      await using proxy = await startLossyProxy(service.baseUrl, (incoming) =>
        isForSecret(incoming) ? 'no response' : undefined,
      )
      const outcome = await service.run(args ?? [], { FRAMEGATE_URL: proxy.baseUrl })
      expect(outcome).toMatchObject({
        exitCode: 1,
        stderr: expect.stringMatching(
          command.startsWith('webhooks')
            ? /No response from .*\n.*the secret is lost: `framegate webhooks list` shows the webhook, and `framegate webhooks rotate`/
            : /No response from .*\n.*the secret is lost: `framegate keys list` shows the key, and `framegate keys rotate`/,
        ),
      })
      expect(outcome.stdout).not.toMatch(/fg_live_|whsec_/)
    },
  )

  it.each([
    ['not an object', /not from a Framegate server/],
    ['status 503', /Error \(overloaded\): Busy\./],
  ] as const)('framegate keys create says that a secret may be lost if the response is: %s', async (fault, message) => {
    const { id } = await runJson('accounts', 'create', 'A')
    await using proxy = await startLossyProxy(service.baseUrl, ({ url }) => (url?.endsWith('/keys') === true ? fault : undefined))
    const { exitCode, stdout, stderr } = await service.run(['keys', 'create', '--account', id], { FRAMEGATE_URL: proxy.baseUrl })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('the secret is lost: `framegate keys list` shows the key')
    const jsonOutcome = await service.run(['keys', 'create', '--account', id, '--json'], { FRAMEGATE_URL: proxy.baseUrl })
    expect(JSON.parse(jsonOutcome.stderr).error.message).toContain('the secret is lost')
  })

  it('framegate keys create does not say that a secret may be lost if the connection is refused', async () => {
    const environment = { FRAMEGATE_URL: 'http://127.0.0.1:9/api' }
    expect(await service.run(['keys', 'create', '--account', 'acct_any'], environment)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'No response from http://127.0.0.1:9/api (ECONNREFUSED).\n',
    })
  })

  it.each(['apply', 'keys create'])(
    'framegate %s says that a secret may be lost if the response with it is lost after Ctrl-C',
    async (name) => {
      write('accounts: [{ name: A, keys: [{ name: website }] }]')
      const { id } = await runJson('accounts', 'create', 'B')
      const args = name === 'apply' ? ['apply', '-f', 'framegate.yaml', '--yes'] : ['keys', 'create', '--account', id]
      await using proxy = await startLossyProxy(service.baseUrl, losesNewKeyLate)
      const command = startFramegate(args, {
        cwd: service.cwd,
        env: { FRAMEGATE_URL: proxy.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
      })
      await waitFor(command, () => proxy.hasFault())
      command.child.kill('SIGINT')
      const { exitCode, stderr } = await command.ended
      expect([exitCode, stderr]).toEqual([
        130,
        expect.stringContaining('the secret is lost: `framegate keys list` shows the key'),
      ])
    },
  )

  it('framegate apply prints the secret of a key that is being created at Ctrl-C', async () => {
    write('accounts: [{ name: A, keys: [{ name: website }, { name: app }] }]')
    await using proxy = await startLossyProxy(service.baseUrl, (incoming) =>
      isForSecret(incoming) ? 'late response' : undefined,
    )
    const command = startFramegate(['apply', '-f', 'framegate.yaml', '--yes'], {
      cwd: service.cwd,
      env: { FRAMEGATE_URL: proxy.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
    })
    await waitFor(command, () => proxy.hasFault())
    command.child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await command.ended
    expect(stdout.match(/^fg_live_\S+$/gm)).toHaveLength(1)
    expect([exitCode, stderr]).toEqual([130, expect.stringContaining('2 of 3 changes applied.')])
    expect((await apply('--yes')).stdout).toMatch(/^\+ create key "app" of account "A".*\nfg_live_/)
  })

  it('framegate apply --json prints the secret of each key before the next step', async () => {
    write('accounts: [{ name: A, keys: [{ name: website }, { name: app }] }]')
    let keyRequests = 0
    await using proxy = await startLossyProxy(service.baseUrl, (incoming) =>
      isForSecret(incoming) && ++keyRequests === 2 ? 'no request' : undefined,
    )
    const command = startFramegate(['apply', '-f', 'framegate.yaml', '--yes', '--json'], {
      cwd: service.cwd,
      env: { FRAMEGATE_URL: proxy.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
    })
    await waitFor(command, () => proxy.hasFault())
    command.child.kill('SIGKILL')
    expect((await command.ended).stdout).toMatch(/^\{"keys":\[\{"id":"key_[^}]*"name":"website","key":"fg_live_[^}]*\}$/)
  })

  it.each([['text'], ['JSON', '--json']])(
    'framegate apply stops at a new key whose secret cannot be written to a closed output (%s)',
    async (_format, ...options) => {
      write('accounts: [{ name: A, keys: [{ name: website }, { name: app }] }]')
      await using proxy = await startLossyProxy(service.baseUrl, (incoming) =>
        isForSecret(incoming) ? 'late response' : undefined,
      )
      const command = startFramegate(['apply', '-f', 'framegate.yaml', '--yes', ...options], {
        cwd: service.cwd,
        env: { FRAMEGATE_URL: proxy.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
      })
      await waitFor(command, () => proxy.hasFault())
      command.child.stdout?.destroy()
      const { exitCode, stderr } = await command.ended
      expect(stderr).toMatch(
        /The new secret of (key_\S+) is lost, because the output cannot be written\. `framegate keys rotate \1`/,
      )
      expect([exitCode, stderr]).toEqual([1, expect.stringContaining('2 of 3 changes applied.')])
    },
  )

  it('framegate apply changes nothing if its output is closed', async () => {
    write('accounts: [{ name: A, keys: [{ name: website }] }]')
    for (const options of [[], ['--json']]) {
      const command = startFramegate(['apply', '-f', 'framegate.yaml', '--yes', ...options], {
        cwd: service.cwd,
        env: { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
      })
      command.child.stdout?.destroy()
      const { exitCode, stderr } = await command.ended
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining('Nothing was changed, because the output cannot be written.'),
      ])
    }
    expect(await auditLength()).toBe(0)
  })

  it.each(['keys create', 'webhooks create'])('framegate %s says that a secret is lost if its output is closed', async (name) => {
    const { id } = await runJson('accounts', 'create', 'A')
    const args = name === 'keys create' ? ['keys', 'create', '--account', id] : ['webhooks', 'create', webhookUrl]
    const command = startFramegate(args, {
      cwd: service.cwd,
      env: { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
    })
    command.child.stdout?.destroy()
    const { exitCode, stderr } = await command.ended
    const [owners] = name.split(' ')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`\`framegate ${owners} rotate `)])
  })

  it('Ctrl-C ends framegate apply while the server does not respond with its time', async () => {
    write('accounts: [{ name: A }]')
    await using proxy = await startLossyProxy(service.baseUrl, requestsForTime)
    const command = startFramegate(['apply', '-f', 'framegate.yaml', '--yes'], {
      cwd: service.cwd,
      env: { FRAMEGATE_URL: proxy.baseUrl, FRAMEGATE_API_KEY: service.apiKey },
    })
    await waitFor(command, () => proxy.hasFault())
    const startMs = performance.now()
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ exitCode: 130, stdout: '' })
    expect(performance.now() - startMs).toBeLessThan(3_000)
  })

  it('framegate apply changes nothing if the server does not respond with its time', async () => {
    write('accounts: [{ name: A }]')
    await using proxy = await startLossyProxy(service.baseUrl, requestsForTime)
    expect(await service.run(['apply', '-f', 'framegate.yaml', '--yes'], { FRAMEGATE_URL: proxy.baseUrl })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `The server at ${proxy.baseUrl} did not respond to the request for its time.\n`,
    })
  })

  it('of several runs of framegate apply at the same moment, each object is created once', async () => {
    write(example)
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => apply('--yes')))
    const secrets = outcomes.flatMap(({ stdout }) => stdout.match(/^fg_live_\S+$/gm) ?? [])
    expect(secrets).toHaveLength(1)
    for (const { exitCode, stderr } of outcomes)
      if (exitCode !== 0) expect(stderr).toContain('already has a key with the name "website"')
    expect((await apply('--yes')).exitCode).toBe(0)
    await expectNothingToChange()
    const accounts = (await runJson('accounts', 'list')).items.filter(({ name }: { name: string }) => name === 'Studio North')
    expect(accounts).toMatchObject([{ balance: 250 }])
    expect((await runJson('keys', 'list', '--account', accounts[0].id)).items).toHaveLength(1)
    expect(await hostsByBrand()).toHaveLength(2)
  })

  it('framegate apply without a terminal needs --yes', async () => {
    write(example)
    const { exitCode, stdout, stderr } = await apply()
    expect([exitCode, stdout.split('\n')[0]]).toEqual([2, '+ create brand "Northern Lights"'])
    expect(stderr).toContain('--yes applies the changes')
    expect((await runJson('brands', 'list')).items).toHaveLength(1)
  })

  it.runIf(hasTerminal)('framegate apply asks for confirmation on a terminal, and "n" changes nothing', async () => {
    write(example)
    const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
    const refusedRun = await runOnTerminal(['apply', '-f', 'framegate.yaml'], { cwd: service.cwd, env, input: 'n\n' })
    expect([refusedRun.exitCode, refusedRun.stdout]).toEqual([1, expect.stringContaining('Apply 9 changes? [y/N]')])
    expect((await runJson('brands', 'list')).items).toHaveLength(1)
    const confirmedRun = await runOnTerminal(['apply', '-f', 'framegate.yaml'], { cwd: service.cwd, env, input: 'y\n' })
    expect([confirmedRun.exitCode, confirmedRun.stdout]).toEqual([0, expect.stringContaining('9 changes made.')])
  })

  it('framegate apply stops at a failing step and lists the completed steps, and a second run continues at the failing step', async () => {
    const text = `
brands: [{ name: One }]
accounts: [{ name: A, brand: One }, { name: B, brand: One }]
`
    write(text)
    service.damage("create trigger no_b before insert on accounts when new.name = 'B' begin select raise(abort, 'no'); end")
    const stoppedRun = await apply('--yes')
    expect(stoppedRun.exitCode).toBe(1)
    expect(stoppedRun.stderr).toContain('done: + create account "A" of brand "One"\n')
    expect(stoppedRun.stderr).toMatch(
      /failed: \+ create account "B" of brand "One"\n.*internal_error.*\n2 of 3 changes applied\./,
    )
    service.damage('drop trigger no_b')
    expect((await apply('--yes')).stdout).toBe('+ create account "B" of brand "One"\n')
    await expectNothingToChange()
  })

  it('framegate doctor accepts a settings file that also has the sections of framegate apply', async () => {
    const file = write(example.replace('port: 9000', `data_dir: ${join(service.cwd, 'second')}`))
    expect(readFileSync(file, 'utf8')).toContain('brands:')
    const { exitCode, stdout } = await service.run(['doctor', '--config', file, '--no-render', '--json'])
    const checks = JSON.parse(stdout).checks as { name: string; status: string }[]
    expect([exitCode, checks.find(({ name }) => name === 'settings')?.status]).toEqual([0, 'ok'])
  })
})
