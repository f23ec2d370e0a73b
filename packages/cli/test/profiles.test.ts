import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startFakeFramegate } from './fake-framegate.ts'
import { runFramegate, startFramegate } from './run-framegate.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-profiles-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const run = async (args: string[], env: Record<string, string> = {}) => runFramegate(args, { cwd, env })
const file = () => join(cwd, '.config/framegate/profiles.json')
const unreachableUrl = 'http://127.0.0.1:9/api'

describe('framegate profiles', () => {
  it('framegate profiles keeps servers and keys in an owner-only file, hides keys, and uses the first profile', async () => {
    const add = startFramegate(['profiles', 'add', 'studio', '--url', 'http://127.0.0.1:9', '--api-key', '-'], {
      cwd,
      input: 'fg_live_0123456789abcdef\n',
    })
    expect(await add.ended).toMatchObject({ exitCode: 0, stdout: '' })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(join(cwd, '.config/framegate')).mode & 0o777).toBe(0o700)
    expect(await run(['profiles', 'add', 'other', '--url', 'http://127.0.0.1:10/x/', '--api-key', 'k'])).toMatchObject({
      exitCode: 0,
    })
    const { stdout } = await run(['profiles', 'list', '--json'])
    expect((JSON.parse(stdout) as { items: unknown[] }).items).toEqual([
      { name: 'studio', url: unreachableUrl, key_hint: '…cdef', in_use: true },
      { name: 'other', url: 'http://127.0.0.1:10/x', key_hint: '…', in_use: false },
    ])
    expect((await run(['profiles', 'use', 'other'])).stderr).toContain('The profile other is in use')
    expect((await run(['profiles', 'list'])).stdout).toMatch(/^\* {2}other /m)
    expect((await run(['profiles', 'remove', 'other'])).stderr).toContain('none is in use')
    expect(readFileSync(file(), 'utf8')).not.toContain('other')
  })

  it('a profiles file that others can read becomes owner-only at the next change', async () => {
    await run(['profiles', 'add', 'one', '--url', unreachableUrl, '--api-key', 'k'])
    chmodSync(file(), 0o644)
    await run(['profiles', 'add', 'two', '--url', unreachableUrl, '--api-key', 'k'])
    expect(statSync(file()).mode & 0o777).toBe(0o600)
  })

  it('the profiles file is below XDG_CONFIG_HOME when that is an absolute path', async () => {
    await run(['profiles', 'add', 'one', '--url', unreachableUrl, '--api-key', 'k'], { XDG_CONFIG_HOME: join(cwd, 'elsewhere') })
    expect(statSync(join(cwd, 'elsewhere/framegate/profiles.json')).isFile()).toBe(true)
  })

  it('a task is submitted to the server of the current or named profile, with the key of that profile', async () => {
    await using server = await startFakeFramegate()
    await run(['profiles', 'add', 'none', '--url', unreachableUrl, '--api-key', 'k'])
    await run(['profiles', 'add', 'fake', '--url', server.baseUrl, '--api-key', 'good-key'])
    expect(await run(['generate', 'kite', '--profile', 'fake'])).toMatchObject({ exitCode: 0 })
    await run(['profiles', 'use', 'fake'])
    expect(await run(['generate', 'boat'])).toMatchObject({ exitCode: 0 })
    expect(server.submits).toHaveLength(2)
  })

  it('FRAMEGATE_URL overrides a named profile with a notice, and never receives the key of a profile', async () => {
    await using server = await startFakeFramegate()
    await run(['profiles', 'add', 'none', '--url', unreachableUrl, '--api-key', 'good-key'])
    const environment = { FRAMEGATE_URL: server.baseUrl, FRAMEGATE_API_KEY: 'good-key' }
    const namedRun = await run(['generate', 'kite', '--profile', 'none'], environment)
    expect(namedRun).toMatchObject({ exitCode: 0 })
    expect(namedRun.stderr).toContain(
      `FRAMEGATE_URL is set and takes precedence over the profile none: ${server.baseUrl} is used.`,
    )
    const withoutKey = await run(['generate', 'kite'], { FRAMEGATE_URL: server.baseUrl })
    expect(withoutKey).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('No API key is set for') })
    expect(server.submits).toHaveLength(1)
  })

  it.each([
    ['a missing profile', ['generate', 'kite', '--profile', 'absent'], 'There is no profile "absent": the profiles are one.'],
    ['a switch to a missing profile', ['profiles', 'use', 'absent'], 'There is no profile "absent": the profiles are one.'],
    [
      'an existing profile name',
      ['profiles', 'add', 'one', '--url', unreachableUrl, '--api-key', 'k'],
      'Replace it with --force',
    ],
    ['an invalid profile name', ['profiles', 'add', '../x', '--url', unreachableUrl, '--api-key', 'k'], 'is not a profile name'],
    ['an invalid address', ['profiles', 'add', 'x', '--url', 'studio', '--api-key', 'k'], 'must be a URL'],
    ['an empty key', ['profiles', 'add', 'x', '--url', unreachableUrl, '--api-key', '-'], 'The API key is empty'],
    ['a profile beside an address', ['generate', 'kite', '--profile', 'one', '--url', unreachableUrl], 'cannot be used with'],
  ])('framegate exits with 2 for %s', async (_what, args, expected) => {
    await run(['profiles', 'add', 'one', '--url', unreachableUrl, '--api-key', 'k'])
    const { exitCode, stdout, stderr } = await run(args)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(expected)
  })

  it('framegate does not read or write profiles in the working folder if the user has no home folder', async () => {
    for (const args of [['list'], ['add', 'one', '--url', unreachableUrl, '--api-key', 'k']]) {
      const { exitCode, stderr } = await run(['profiles', ...args], { HOME: '' })
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('Set HOME or XDG_CONFIG_HOME')])
    }
    expect(existsSync(join(cwd, '.config'))).toBe(false)
  })

  it('framegate exits with 2 and names the profiles file when that file is broken', async () => {
    mkdirSync(join(cwd, '.config/framegate'), { recursive: true })
    writeFileSync(file(), '{"profiles": 7')
    const { exitCode, stderr } = await run(['generate', 'kite'])
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`${file()} is not a valid profile file`)])
  })
})
