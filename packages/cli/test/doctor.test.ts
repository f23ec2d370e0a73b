import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../src/doctor/finding.ts'
import { startFakeFramegate } from './fake-framegate.ts'
import { runFramegate } from './run-framegate.ts'
import { startService } from './started-service.ts'
import { hasTerminal, runOnTerminal } from './terminal.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-doctor-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const unreachableUrl = 'http://127.0.0.1:9/api'

async function runDoctor(args: string[], env: Record<string, string> = {}) {
  const options = ['doctor', '--json', '--no-render', ...args]
  const { exitCode, stdout, stderr } = await runFramegate(options, { cwd, env: { FRAMEGATE_PORT: '0', ...env } })
  expect(stderr).toBe('')
  const { status, checks } = JSON.parse(stdout) as { status: string; checks: Finding[] }
  return { exitCode, status, found: (name: string) => checks.find((check) => check.name === name) }
}

async function runDoctorOnTerminal(env: Record<string, string>): Promise<string> {
  const { stdout } = await runOnTerminal(['doctor', '--no-render'], { cwd, env: { FRAMEGATE_PORT: '0', ...env } })
  return stdout
}

describe('framegate doctor', () => {
  it('framegate doctor passes on a working machine and service, and renders a short video', { timeout: 120_000 }, async () => {
    const service = await startService()
    try {
      const { port } = new URL(service.baseUrl)
      const options = ['doctor', '--port', port, '--data-dir', service.dataDir]
      const { exitCode, stdout } = await service.run(options)
      expect(stdout).not.toMatch(/^(warn|fail)|\p{Cc}\[/mu)
      expect(exitCode).toBe(0)
      for (const line of [
        /^ok +api key +the server accepts it$/m,
        /^ok +data folder .*in use by a running service/m,
        /^ok +render +rendered a video of 1 s/m,
      ]) {
        expect(stdout).toMatch(line)
      }
      const { checks, status } = JSON.parse((await service.run([...options, '--json', '--no-render'])).stdout)
      expect(status).toBe('ok')
      const names = [
        'node',
        'settings',
        'server',
        'api_key',
        'clock',
        'readiness',
        'profiles',
        'data_folder',
        'database',
        'task_times',
        'port',
        'encoder',
        'decoder',
      ]
      expect((checks as Finding[]).map(({ name }) => name)).toEqual(names)
    } finally {
      await service.close()
    }
  })

  it('framegate doctor does not create the data folder that it examines', async () => {
    const { found } = await runDoctor(['--url', unreachableUrl])
    expect(found('data_folder')).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('the first start will create '),
    })
    expect(existsSync(join(cwd, 'data'))).toBe(false)
  })

  it('framegate doctor fails when the named server does not respond, and skips the checks that need it', async () => {
    const { exitCode, status, found } = await runDoctor(['--url', unreachableUrl])
    expect([exitCode, status]).toEqual([1, 'fail'])
    expect(found('server')).toMatchObject({ status: 'fail', advice: expect.stringContaining('check that it runs') })
    expect(found('api_key')).toBeUndefined()
  })

  it('framegate doctor fails for an invalid key, and warns about a missing key or differing clocks', async () => {
    await using server = await startFakeFramegate({ aheadSeconds: 600 })
    const wrongKeyReport = await runDoctor(['--url', server.baseUrl, '--api-key', 'bad'])
    expect(wrongKeyReport.found('api_key')).toMatchObject({
      status: 'fail',
      message: expect.stringContaining('invalid_api_key'),
      advice: 'ask the operator for a key with the scopes tasks:read and tasks:write',
    })
    const noKeyReport = await runDoctor(['--url', server.baseUrl])
    expect(noKeyReport).toMatchObject({ exitCode: 0, status: 'warn' })
    expect(noKeyReport.found('api_key')).toMatchObject({ status: 'warn', advice: expect.stringContaining('FRAMEGATE_API_KEY') })
    expect(noKeyReport.found('clock')?.message).toMatch(/^this machine is (599|600|601) s behind the server$/)
  })

  it('framegate doctor fails for a port in use, a data folder that is a file, and a missing ffmpeg', async () => {
    await using silentServer = createServer((socket) => socket.on('error', () => {}).resume()).listen(0, '127.0.0.1')
    await once(silentServer, 'listening')
    writeFileSync(join(cwd, 'file'), '')
    const args = ['--url', unreachableUrl, '--port', String((silentServer.address() as AddressInfo).port), '--data-dir', 'file']
    const { exitCode, found } = await runDoctor(args, { FRAMEGATE_ENCODER: 'ffmpeg', PATH: cwd })
    expect(exitCode).toBe(1)
    expect(found('port')).toMatchObject({ status: 'fail', message: expect.stringContaining('in use by another program') })
    expect(found('data_folder')).toMatchObject({ status: 'fail', message: expect.stringContaining('is not writable') })
    expect(found('encoder')).toMatchObject({ status: 'fail', message: expect.stringContaining('no ffmpeg on PATH') })
  })

  it('framegate doctor reports a missing encoder, and warns if upstreams may need it', async () => {
    const fixture = new URL('../../server/test/without-webcodecs.fixture.ts', import.meta.url).href
    const env = { PATH: cwd, NODE_OPTIONS: `--import=${fixture}`, SECRET: 'a-key-of-the-upstream' }
    const reason: unknown = expect.stringContaining('there is no ffmpeg on PATH')
    const alone = await runDoctor(['--url', unreachableUrl], env)
    expect(alone.found('encoder')).toMatchObject({ status: 'ok', message: reason })
    expect(alone.found('decoder')).toMatchObject({ status: 'ok', message: expect.stringContaining('rejects input videos') })
    const upstreams = { main: { driver: 'openai', base_url: 'https://api.openai.com/v1', api_key: '${SECRET}' } }
    writeFileSync(join(cwd, 'framegate.yaml'), JSON.stringify({ upstreams }))
    const connected = await runDoctor(['--url', unreachableUrl], env)
    expect(connected.found('encoder')).toMatchObject({
      status: 'warn',
      message: reason,
      advice: expect.stringContaining('@napi-rs/webcodecs'),
    })
  })

  it('framegate doctor fails for a scratch or media folder that is not writable, and names it', async () => {
    for (const name of ['scratch', 'media']) {
      const dataDir = join(cwd, `data-${name}`)
      mkdirSync(dataDir)
      writeFileSync(join(dataDir, name), 'a file in its place')
      const { exitCode, found } = await runDoctor(['--url', unreachableUrl, '--data-dir', dataDir])
      expect(exitCode).toBe(1)
      expect(found('data_folder')).toMatchObject({
        status: 'fail',
        message: `The folder ${join(dataDir, name)} is not writable (EEXIST)`,
      })
    }
  })

  it('framegate doctor fails for a database that is not writable, and names the failing part of a service', async () => {
    const service = await startService()
    const dataDir = join(cwd, 'copy')
    try {
      await service.run(['backup', dataDir, '--data-dir', service.dataDir])
      const fullReport = await runDoctor(['--url', unreachableUrl, '--data-dir', dataDir])
      expect(fullReport.found('database')).toMatchObject({ status: 'ok', message: expect.stringContaining('accepts writes') })
      const database = new DatabaseSync(join(dataDir, 'framegate.db'))
      database.exec("create trigger full before insert on settings begin select raise(abort, 'database or disk is full'); end")
      database.close()
      const { exitCode, found } = await runDoctor(['--url', unreachableUrl, '--data-dir', dataDir])
      expect([exitCode, found('database')]).toEqual([
        1,
        expect.objectContaining({
          status: 'fail',
          message: expect.stringMatching(/framegate\.db is not writable: .*full$/),
        }),
      ])

      renameSync(join(service.dataDir, 'media'), join(service.dataDir, 'elsewhere'))
      writeFileSync(join(service.dataDir, 'media'), '')
      const { found: foundOnServer } = await runDoctor(['--url', service.baseUrl, '--data-dir', dataDir])
      expect(foundOnServer('readiness')).toMatchObject({ status: 'fail', message: 'The media store is not writable (ENOTDIR)' })
    } finally {
      await service.close()
    }
  })

  it('framegate doctor names every invalid setting', async () => {
    const { exitCode, found } = await runDoctor(['--url', unreachableUrl], { FRAMEGATE_PORT: 'x', LOG_LEVEL: 'loud' })
    expect(exitCode).toBe(1)
    expect(found('settings')?.message).toMatch(/FRAMEGATE_PORT: must be .*\nLOG_LEVEL: must be/)
  })

  it('framegate doctor warns when other users can read the keys of the profiles', async () => {
    await runFramegate(['profiles', 'add', 'one', '--url', unreachableUrl, '--api-key', 'k'], { cwd })
    chmodSync(join(cwd, '.config/framegate/profiles.json'), 0o644)
    const { found } = await runDoctor([])
    expect(found('profiles')).toMatchObject({ status: 'warn', advice: expect.stringMatching(/^chmod 600 /) })
  })

  it('framegate doctor names the profiles file if it cannot be read', async () => {
    symlinkSync('.config', join(cwd, '.config'))
    const { found } = await runDoctor([])
    expect(found('profiles')).toMatchObject({
      status: 'fail',
      message: expect.stringMatching(/profiles\.json cannot be read: ELOOP\. Make the file readable/),
      advice: 'fix the cause',
    })
  })

  it.skipIf(!hasTerminal)('framegate doctor uses colors on a terminal, unless NO_COLOR is set', async () => {
    expect(await runDoctorOnTerminal({})).toContain('\x1b[32mok')
    expect(await runDoctorOnTerminal({ NO_COLOR: '1' })).not.toContain('\x1b')
  })
})
