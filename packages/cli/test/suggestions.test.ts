import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand, runFramegate } from './run-framegate.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-suggestions-'))
})
afterAll(() => rmSync(cwd, { recursive: true }))

describe('an unknown option exits with 2 and suggests valid options', () => {
  it.each([
    ['tasks list --base-url http://127.0.0.1:9/api', '(Did you mean --url?)\n  --url <base-url>  base URL of the server'],
    [
      'routes set kite --model m --upstream u --cost-per-second 0.1',
      '(Did you mean --cost?)\n  --cost <unit=amount>  cost in credits: `per_second`',
    ],
    ['upstreams set fal --driver fal --base-url https://fal.run', '(Did you mean one of --upstream-url, --schema-url, --url?)'],
    ['serve --base-url http://127.0.0.1', '(Did you mean one of --base-path, --public-url?)'],
    ['serve --data-folder=here', '(Did you mean --data-dir?)'],
    ['generate x --aspect-ration 1:1', '(Did you mean --aspect-ratio?)'],
    ['generate x --key fg_live_x', '(Did you mean --api-key?)'],
    ['accounts list --quickly', '(framegate accounts list --help shows the options.)'],
    ['--quickly', '(framegate --help shows the options.)'],
  ])('framegate %s exits with 2 and suggests valid options', async (line, expected) => {
    const { exitCode, stdout, stderr } = await runCommand(line.split(' '), { cwd })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^error: unknown option '--[a-z-]+'\n/)
    expect(stderr).toContain(expected)
  })
})

describe('an unknown command exits with 2 and suggests a command', () => {
  it.each([
    ['tasks show task_1', '(Did you mean framegate tasks get?)'],
    ['models get imgA-5.0', '(Did you mean framegate models show?)'],
    ['prices get imgA-5.0', '(Did you mean framegate prices show?)'],
    ['upstreams add fal', '(Did you mean framegate upstreams set?)'],
    ['routes rm kling', '(Did you mean framegate routes remove?)'],
    ['tasks cancle task_1', '(Did you mean cancel?)'],
    ['tasks fly task_1', '(framegate tasks --help shows the commands.)'],
  ])('framegate %s exits with 2 and suggests a command', async (line, expected) => {
    const { exitCode, stdout, stderr } = await runCommand(line.split(' '), { cwd })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(expected)
  })
})

describe('an invalid value exits with 2 and states the valid values', () => {
  it.each([
    ['serve --port abc', '--port: must be a whole number from 0 to 65535; got "abc".'],
    ['serve --port 99999', 'from 0 to 65535'],
    ['serve --port 1.5', 'from 0 to 65535'],
    ['serve --port -1', 'from 0 to 65535'],
    ['doctor --port abc', 'from 0 to 65535'],
    ['serve --log-level loud', '--log-level: must be one of'],
    ['serve --role boss', '--role: must be one of'],
    ['serve --public-url here', '--public-url: must be an origin'],
    ['generate x --seconds soon', 'It must be a number.'],
    ['generate x --seed one', 'It must be a number.'],
    ['generate x --count many', 'It must be a whole number from 1 to'],
    ['generate x --timeout 0', 'It must be a whole number from 1 to'],
    ['tasks list --limit all', 'It must be a whole number from 1 to 10000.'],
    ['tasks wait task_1 --timeout 1.5', 'It must be a whole number from 1 to'],
    ['assets list --limit -1', 'It must be a whole number from 1 to 10000.'],
    ['credits entries --limit 0', 'It must be a whole number from 1 to 100000.'],
    ['credits grant --account a ten', 'It must be a number of credits above 0.'],
    ['keys rotate key_1 --overlap never', 'It must be a whole number from 0 to'],
    ['keys update key_1 --requests-per-second fast', 'It must be a whole number above 0, or none.'],
    ['accounts update a --credits-in-flight few', 'It must be a number above 0, or none.'],
    ['upstreams set fal --driver fal --in-flight many', 'It must be a number.'],
    ['routes set r --model m --upstream u --weight heavy', 'It must be a number.'],
    ['routes set r --model m --upstream u --cost per_second=cheap', 'It must be a number.'],
    ['prices set m --unit second --credits cheap', 'It must be a number of credits'],
    ['prices set m --unit second --credits 0.1234567', 'It must be a number of credits with at most six decimals'],
  ])('framegate %s exits with 2 and states the valid values', async (line, expected) => {
    const { exitCode, stdout, stderr } = await runCommand(line.split(' '), { cwd })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(expected)
  })

  it('an invalid value with --json exits with 2 and a JSON error', async () => {
    const { exitCode, stderr } = await runCommand(['serve', '--port', 'abc', '--json'], { cwd })
    expect([exitCode, JSON.parse(stderr)]).toEqual([
      2,
      {
        error: expect.objectContaining({
          code: 'wrong_usage',
          exit_code: 2,
          message: expect.stringContaining('--port: must be'),
        }),
      },
    ])
  })

  it('framegate serve exits with 1 for an invalid environment variable, and not with 2, the code of a usage error', async () => {
    const { exitCode, stderr } = await runFramegate(['serve'], { cwd, env: { FRAMEGATE_PORT: 'abc' } })
    expect([exitCode, stderr]).toEqual([1, 'FRAMEGATE_PORT: must be a whole number from 0 to 65535; got "abc".\n'])
  })
})
