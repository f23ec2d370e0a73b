import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { example, useAppliedService } from './applied-service.ts'
import { startLossyProxy, type Fault } from './lossy-proxy.ts'
import { waitFor } from './run-framegate.ts'
import { hasTerminal, runOnTerminal } from './terminal.ts'

const rig = useAppliedService()
const { auditLength, write, apply, runJson, start, expectNothingToChange, hostsByBrand } = rig

const isForSecret = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'POST' && /\/(keys|webhooks|rotate|rotate-secret)$/.test(url)

/** A public address, to which no event is sent. */
const webhookUrl = 'https://1.1.1.1/hook'

const requestsForTime = ({ url }: IncomingMessage): Fault | undefined => (url?.endsWith('/tasks') ? 'no request' : undefined)

const losesNewKeyLate = ({ method, url }: IncomingMessage): Fault | undefined =>
  method === 'POST' && url?.endsWith('/keys') === true ? 'late loss' : undefined

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
      await using proxy = await startLossyProxy(rig.service.baseUrl, (incoming) =>
        isForSecret(incoming) ? 'no response' : undefined,
      )
      const outcome = await rig.service.run(args ?? [], { FRAMEGATE_URL: proxy.baseUrl })
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
    await using proxy = await startLossyProxy(rig.service.baseUrl, ({ url }) =>
      url?.endsWith('/keys') === true ? fault : undefined,
    )
    const { exitCode, stdout, stderr } = await rig.service.run(['keys', 'create', '--account', id], {
      FRAMEGATE_URL: proxy.baseUrl,
    })
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
    expect(stderr).toContain('the secret is lost: `framegate keys list` shows the key')
    const jsonOutcome = await rig.service.run(['keys', 'create', '--account', id, '--json'], { FRAMEGATE_URL: proxy.baseUrl })
    expect(JSON.parse(jsonOutcome.stderr).error.message).toContain('the secret is lost')
  })

  it('framegate keys create does not say that a secret may be lost if the connection is refused', async () => {
    const environment = { FRAMEGATE_URL: 'http://127.0.0.1:9/api' }
    expect(await rig.service.run(['keys', 'create', '--account', 'acct_any'], environment)).toEqual({
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
      await using proxy = await startLossyProxy(rig.service.baseUrl, losesNewKeyLate)
      const command = start(args, proxy.baseUrl)
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
    await using proxy = await startLossyProxy(rig.service.baseUrl, (incoming) =>
      isForSecret(incoming) ? 'late response' : undefined,
    )
    const command = start(['apply', '-f', 'framegate.yaml', '--yes'], proxy.baseUrl)
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
    await using proxy = await startLossyProxy(rig.service.baseUrl, (incoming) =>
      isForSecret(incoming) && ++keyRequests === 2 ? 'no request' : undefined,
    )
    const command = start(['apply', '-f', 'framegate.yaml', '--yes', '--json'], proxy.baseUrl)
    await waitFor(command, () => proxy.hasFault())
    command.child.kill('SIGKILL')
    expect((await command.ended).stdout).toMatch(/^\{"keys":\[\{"id":"key_[^}]*"name":"website","key":"fg_live_[^}]*\}$/)
  })

  it.each([['text'], ['JSON', '--json']])(
    'framegate apply stops at a new key whose secret cannot be written to a closed output (%s)',
    async (_format, ...options) => {
      write('accounts: [{ name: A, keys: [{ name: website }, { name: app }] }]')
      await using proxy = await startLossyProxy(rig.service.baseUrl, (incoming) =>
        isForSecret(incoming) ? 'late response' : undefined,
      )
      const command = start(['apply', '-f', 'framegate.yaml', '--yes', ...options], proxy.baseUrl)
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
      const command = start(['apply', '-f', 'framegate.yaml', '--yes', ...options])
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
    const command = start(args)
    command.child.stdout?.destroy()
    const { exitCode, stderr } = await command.ended
    const [owners] = name.split(' ')
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`\`framegate ${owners} rotate `)])
  })

  it('Ctrl-C ends framegate apply while the server does not respond with its time', async () => {
    write('accounts: [{ name: A }]')
    await using proxy = await startLossyProxy(rig.service.baseUrl, requestsForTime)
    const command = start(['apply', '-f', 'framegate.yaml', '--yes'], proxy.baseUrl)
    await waitFor(command, () => proxy.hasFault())
    const startMs = performance.now()
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ exitCode: 130, stdout: '' })
    expect(performance.now() - startMs).toBeLessThan(3_000)
  })

  it('framegate apply changes nothing if the server does not respond with its time', async () => {
    write('accounts: [{ name: A }]')
    await using proxy = await startLossyProxy(rig.service.baseUrl, requestsForTime)
    expect(await rig.service.run(['apply', '-f', 'framegate.yaml', '--yes'], { FRAMEGATE_URL: proxy.baseUrl })).toEqual({
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
    const env = { FRAMEGATE_URL: rig.service.baseUrl, FRAMEGATE_API_KEY: rig.service.apiKey }
    const refusedRun = await runOnTerminal(['apply', '-f', 'framegate.yaml'], { cwd: rig.service.cwd, env, input: 'n\n' })
    expect([refusedRun.exitCode, refusedRun.stdout]).toEqual([1, expect.stringContaining('Apply 9 changes? [y/N]')])
    expect((await runJson('brands', 'list')).items).toHaveLength(1)
    const confirmedRun = await runOnTerminal(['apply', '-f', 'framegate.yaml'], { cwd: rig.service.cwd, env, input: 'y\n' })
    expect([confirmedRun.exitCode, confirmedRun.stdout]).toEqual([0, expect.stringContaining('9 changes made.')])
  })

  it('framegate apply stops at a failing step and lists the completed steps, and a second run continues at the failing step', async () => {
    const text = `
brands: [{ name: One }]
accounts: [{ name: A, brand: One }, { name: B, brand: One }]
`
    write(text)
    rig.service.damage("create trigger no_b before insert on accounts when new.name = 'B' begin select raise(abort, 'no'); end")
    const stoppedRun = await apply('--yes')
    expect(stoppedRun.exitCode).toBe(1)
    expect(stoppedRun.stderr).toContain('done: + create account "A" of brand "One"\n')
    expect(stoppedRun.stderr).toMatch(
      /failed: \+ create account "B" of brand "One"\n.*internal_error.*\n2 of 3 changes applied\./,
    )
    rig.service.damage('drop trigger no_b')
    expect((await apply('--yes')).stdout).toBe('+ create account "B" of brand "One"\n')
    await expectNothingToChange()
  })

  it('framegate doctor accepts a settings file that also has the sections of framegate apply', async () => {
    const file = write(example.replace('port: 9000', `data_dir: ${join(rig.service.cwd, 'second')}`))
    expect(readFileSync(file, 'utf8')).toContain('brands:')
    const { exitCode, stdout } = await rig.service.run(['doctor', '--config', file, '--no-render', '--json'])
    const checks = JSON.parse(stdout).checks as { name: string; status: string }[]
    expect([exitCode, checks.find(({ name }) => name === 'settings')?.status]).toEqual([0, 'ok'])
  })
})
