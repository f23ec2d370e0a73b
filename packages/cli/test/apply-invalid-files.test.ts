import { describe, expect, it } from 'vitest'
import { useAppliedService } from './applied-service.ts'

const rig = useAppliedService()
const { write, apply, runJson, expectNothingToChange } = rig

const grantWith = (expiry: string): string => `accounts: [{ name: A, grants: [{ reference: r, amount: 5, note: n${expiry} }] }]`

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
    await rig.service.client.request({
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
    expect(await rig.service.run(['apply', '-f', 'absent.yaml'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('absent.yaml cannot be read: ENOENT.'),
    })
  })
})
