import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { createClockHook } from '../../server/test/clock-hook.ts'
import { example, useAppliedService } from './applied-service.ts'
import { runFramegate } from './run-framegate.ts'

const rig = useAppliedService()
const { auditLength, write, apply, runJson, expectNothingToChange, hostsByBrand } = rig

const sixtyHosts = (prefix: string): string =>
  JSON.stringify(Array.from({ length: 60 }, (_, index) => `${prefix}${index}.example`))

const sixtyHostsEach = (first: string, second: string): string =>
  `brands:\n  - { name: One, hosts: ${sixtyHosts(first)} }\n  - { name: Two, hosts: ${sixtyHosts(second)} }\n`

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
    expect((await rig.service.run(['tasks', 'list'], { FRAMEGATE_API_KEY: key ?? '' })).stderr).toContain('invalid_api_key')
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
    const clock = createClockHook(rig.service.cwd)
    clock.setAhead(2 * 3_600_000)
    const { cwd, baseUrl, apiKey } = rig.service
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
    mkdirSync(join(rig.service.cwd, 'look'))
    const logo = join(rig.service.cwd, 'look', 'logo.png')
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
    rig.service.damage("create trigger no_two before update on brands when new.name = 'Two' begin select raise(abort, 'no'); end")
    expect((await apply('--yes')).exitCode).toBe(1)
    expect(await hostsByBrand()).toEqual([
      ['Framegate', []],
      ['One', ['a.example']],
      ['Two', ['b.example']],
    ])
    rig.service.damage('drop trigger no_two')
    rig.service.damage("create trigger no_three before insert on brands begin select raise(abort, 'no'); end")
    expect((await apply('--yes')).exitCode).toBe(1)
    expect(await hostsByBrand()).toEqual([
      ['Framegate', []],
      ['One', ['b.example']],
      ['Two', ['a.example']],
    ])
    rig.service.damage('drop trigger no_three')
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
