import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeResult, fakeTaskId, startFakeFramegate, type FakeFramegate, type FakePlan } from './fake-framegate.ts'
import { runCommand, runFramegate, waitFor, startFramegate } from './run-framegate.ts'
import { hasTerminal, runOnTerminal, finalScreen } from './terminal.ts'

let cwd: string
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-generate-'))
})
afterEach(() => rmSync(cwd, { recursive: true }))

const environmentOf = (server: FakeFramegate) => ({ FRAMEGATE_URL: server.baseUrl, FRAMEGATE_API_KEY: 'good-key' })

async function generate(server: FakeFramegate, ...args: string[]) {
  return runCommand(['generate', ...args], { cwd, env: environmentOf(server) })
}

describe('framegate generate', () => {
  it('framegate generate saves the result, prints only its path on stdout, and progress lines on stderr', async () => {
    await using server = await startFakeFramegate()
    const { exitCode, stdout, stderr } = await generate(server, 'A red kite', '--seconds', '5')
    expect([exitCode, stdout]).toEqual([0, 'a-red-kite-89abcdef.mp4\n'])
    expect(stderr).toBe('task_0123456789abcdef queued\ntask_0123456789abcdef completed\n')
    expect(readdirSync(cwd)).toEqual(['a-red-kite-89abcdef.mp4'])
    expect(readFileSync(join(cwd, 'a-red-kite-89abcdef.mp4')).equals(fakeResult)).toBe(true)
    expect(server.submits).toEqual([
      {
        body: { model: 'sd_2.0_fast_special', prompt: 'A red kite', seconds: 5 },
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{32}$/),
      },
    ])
  })

  it('framegate generate sends each parameter under its wire name, and local files as data URIs', async () => {
    await using server = await startFakeFramegate()
    const png = Buffer.from('89504e470d0a1a0a00000000', 'hex')
    writeFileSync(join(cwd, 'a.png'), png)
    const parameters = [
      '--aspect-ratio',
      '9:16',
      '--resolution',
      '720p',
      '--seed',
      '7',
      '--negative-prompt',
      'fog',
      '--watermark',
    ]
    const images = [
      '--reference',
      'https://example.com/b.png',
      '--reference',
      'a.png',
      '--first-frame',
      'a.png',
      '--last-frame',
      'asset:1',
    ]
    const { exitCode, stdout } = await generate(server, 'kite', '--model', 'm', ...parameters, '--no-audio', ...images, '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id: 'task_0123456789abcdef', path: join(cwd, 'kite-89abcdef.mp4') })
    const dataUri = `data:image/png;base64,${png.toString('base64')}`
    expect(server.submits[0]?.body).toEqual({
      model: 'm',
      prompt: 'kite',
      aspect_ratio: '9:16',
      resolution: '720p',
      seed: 7,
      negative_prompt: 'fog',
      watermark: true,
      audio: false,
      reference_images: ['https://example.com/b.png', dataUri],
      first_frame: dataUri,
      last_frame: 'asset:1',
    })
  })

  it('framegate generate retries a submit with the same idempotency key if its response was lost', async () => {
    await using server = await startFakeFramegate({ lostSubmits: 1 })
    const { exitCode, stderr } = await generate(server, 'kite')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('The same request is sent again in 1 s.')
    expect(server.submits).toHaveLength(2)
    expect(server.submits[0]).toEqual(server.submits[1])
  })

  it('framegate generate restarts an interrupted download, and no partial file remains', async () => {
    await using server = await startFakeFramegate({ brokenDownloads: 1 })
    const { exitCode, stderr } = await generate(server, 'kite', '-o', 'kite.mp4')
    expect(exitCode).toBe(0)
    expect(stderr).toContain('The download resumes where it broke')
    expect(readdirSync(cwd)).toEqual(['kite.mp4'])
    expect(readFileSync(join(cwd, 'kite.mp4')).equals(fakeResult)).toBe(true)
  })

  it('every result of a task is saved under a numbered name, even if a download is interrupted', async () => {
    await using server = await startFakeFramegate({ results: 3, brokenDownloads: 1 })
    const { exitCode, stdout } = await generate(server, 'kite', '-o', 'kite.mp4')
    const names = ['kite-1.mp4', 'kite-2.mp4', 'kite-3.mp4']
    expect([exitCode, stdout.trim().split('\n'), readdirSync(cwd).toSorted()]).toEqual([0, names, names])
    for (const name of names) expect(readFileSync(join(cwd, name)).equals(fakeResult)).toBe(true)
    const { stdout: printed } = await generate(server, 'kite', '-o', 'again.mp4', '--json')
    const repeated = [1, 2, 3].map((number) => join(realpathSync(cwd), `again-${number}.mp4`))
    expect(JSON.parse(printed)).toMatchObject({ path: repeated[0], paths: repeated })
  })

  it("framegate generate exits with 1 and prints the result's URL if its download is interrupted repeatedly", async () => {
    await using server = await startFakeFramegate({ brokenDownloads: Infinity })
    const { exitCode, stdout, stderr } = await generate(server, 'kite')
    expect([exitCode, stdout, readdirSync(cwd)]).toEqual([1, '', []])
    expect(stderr).toMatch(/The result could not be saved: .*\. Until the link expires, it is at http/)
  })

  it('an image output selects an image model, and the file gets the extension of the actual result', async () => {
    await using server = await startFakeFramegate()
    const { exitCode, stdout, stderr } = await generate(server, 'kite', '-o', 'kite.png')
    expect(exitCode).toBe(0)
    expect(server.submits[0]?.body['model']).toBe('imgA-5.0')
    expect(stderr).toContain('The type of the result is video/mp4, so it is saved as kite.mp4, not as kite.png.')
    expect([stdout, readdirSync(cwd)]).toEqual(['kite.mp4\n', ['kite.mp4']])
  })

  it('a file that was created during the generation is not overwritten, and the result gets another name', async () => {
    await using server = await startFakeFramegate({
      states: [{ status: 'processing' }, { status: 'processing' }, { status: 'completed', progress: 100 }],
    })
    const generation = generate(server, 'kite', '-o', 'kite.mp4')
    await expect.poll(() => server.submits.length).toBe(1)
    writeFileSync(join(cwd, 'kite.mp4'), 'mine')
    const { exitCode, stdout, stderr } = await generation
    expect([exitCode, readFileSync(join(cwd, 'kite.mp4'), 'utf8')]).toEqual([0, 'mine'])
    expect(stderr).toContain(`kite.mp4 exists already, so the result is saved as ${stdout.trim()}.`)
    expect(readFileSync(join(cwd, stdout.trim())).equals(fakeResult)).toBe(true)
  })

  it('framegate generate without --force fails before it submits a task if the output file exists', async () => {
    await using server = await startFakeFramegate()
    writeFileSync(join(cwd, 'kite.mp4'), 'mine')
    expect(await generate(server, 'kite', '-o', 'kite.mp4')).toMatchObject({ exitCode: 2, stdout: '' })
    expect(server.submits).toEqual([])
    expect(readFileSync(join(cwd, 'kite.mp4'), 'utf8')).toBe('mine')
    expect(await generate(server, 'kite', '-o', 'kite.mp4', '--force')).toMatchObject({ exitCode: 0, stdout: 'kite.mp4\n' })
    expect(readFileSync(join(cwd, 'kite.mp4')).equals(fakeResult)).toBe(true)
  })

  it('framegate generate exits with 3 if the task takes longer than --timeout, and the task continues', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'processing' }] })
    const { exitCode, stdout, stderr } = await generate(server, 'kite', '--timeout', '1')
    expect([exitCode, stdout]).toEqual([3, ''])
    expect(stderr).toContain('is still processing after 1 s and continues. Wait longer with --timeout.')
    expect(server.cancelled).toEqual([])
  })

  it('framegate generate --json also prints a failed task', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'failed', error: 'No.', error_code: 'invalid_input' }] })
    const { exitCode, stdout } = await generate(server, 'kite', '--json')
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      1,
      expect.objectContaining({ status: 'failed', error_code: 'invalid_input' }),
    ])
  })

  it('framegate generate exits with 1 and the reason when the task fails', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'failed', error: 'The prompt was refused.' }] })
    const { exitCode, stdout, stderr } = await generate(server, 'kite')
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('The task task_0123456789abcdef failed: The prompt was refused.')
  })

  it.each<[string, NonNullable<FakePlan['refusal']>, number]>([
    ['a wrong parameter', { status: 400, code: 'invalid_parameter', message: 'seconds must be 4 to 15.' }, 2],
    ['an unknown model', { status: 404, code: 'model_not_found', message: 'There is no model m.' }, 2],
    ['too few credits', { status: 402, code: 'insufficient_credits', message: 'It costs 1.' }, 1],
  ])("framegate generate prints the server's message for %s", async (_what, refusal, exitCode) => {
    await using server = await startFakeFramegate({ refusal })
    const outcome = await generate(server, 'kite')
    expect(outcome).toEqual({ exitCode, stdout: '', stderr: `Error (${refusal.code}): ${refusal.message}\n` })
    expect(server.submits).toHaveLength(1)
  })

  it('framegate generate --count generates variations of each prompt, numbers the files and prints each path', async () => {
    await using server = await startFakeFramegate()
    const { exitCode, stdout, stderr } = await generate(server, 'kite', 'boat', '--count', '2', '--seed', '7', '-o', 'a.mp4')
    expect(exitCode).toBe(0)
    expect(server.submits.map(({ body }) => [body['prompt'], body['seed']])).toEqual([
      ['kite', 7],
      ['kite', 8],
      ['boat', 7],
      ['boat', 8],
    ])
    const names = ['a-1.mp4', 'a-2.mp4', 'a-3.mp4', 'a-4.mp4']
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual(names)
    expect(readdirSync(cwd)).toEqual(names)
    expect(stderr).toContain(`${fakeTaskId(1)} queued: kite (seed 8)\n`)
    expect(stderr).toContain(`${fakeTaskId(3)} completed\n`)
    expect(stderr).not.toContain('\x1b')
  })

  it('framegate generate --count uses different seeds, and --json prints the tasks in order', async () => {
    await using server = await startFakeFramegate()
    const { exitCode, stdout } = await generate(server, 'kite', '--count', '3', '--json')
    expect(exitCode).toBe(0)
    expect(new Set(server.submits.map(({ body }) => body['seed'])).size).toBe(3)
    const tasks = JSON.parse(stdout) as { id: string; path: string }[]
    expect(tasks.map(({ id }) => id)).toEqual([0, 1, 2].map(fakeTaskId))
    expect(tasks.every(({ path }) => readFileSync(path).equals(fakeResult))).toBe(true)
  })

  it('"framegate generate -" reads one prompt from each line of stdin', async () => {
    await using server = await startFakeFramegate()
    const command = startFramegate(['generate', '-'], { cwd, env: environmentOf(server), input: 'kite\n\n  boat \r\n' })
    expect(await command.ended).toMatchObject({ exitCode: 0 })
    expect(server.submits.map(({ body }) => body['prompt'])).toEqual(['kite', 'boat'])
  })

  it('framegate generate stops submitting after a rejected submit, waits for earlier tasks and exits with the code of the error', async () => {
    const refusal = { status: 402, code: 'insufficient_credits', message: 'It costs 1.' }
    await using server = await startFakeFramegate({ refusal, submitsAccepted: 1 })
    const { exitCode, stdout, stderr } = await generate(server, 'kite', '--count', '3')
    expect([exitCode, stdout]).toEqual([1, 'kite-89abcdef.mp4\n'])
    expect(stderr).toContain('Error (insufficient_credits): It costs 1.\n1 of 3 tasks were accepted before that. They continue.')
    expect(server.submits).toHaveLength(2)
  })

  it('framegate generate saves the results of completed tasks if another task fails', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'completed', progress: 100 }], failing: [1] })
    const { exitCode, stdout, stderr } = await generate(server, 'kite', 'boat', 'fox')
    expect([exitCode, stdout.trimEnd().split('\n')]).toEqual([
      1,
      expect.arrayContaining(['kite-89abcdef.mp4', 'fox-89abcdf1.mp4']),
    ])
    expect(stderr).toContain(`The task ${fakeTaskId(1)} failed: Not this one.`)
  })

  it('framegate generate --open opens each file, and reports a missing system program', async () => {
    await using server = await startFakeFramegate()
    const openedFile = join(cwd, 'opened')
    mkdirSync(join(cwd, 'bin'))
    writeFileSync(join(cwd, 'bin/xdg-open'), `#!/bin/sh\nprintf '%s' "$1" > ${openedFile}\n`, { mode: 0o755 })
    const env = { ...environmentOf(server), PATH: `${join(cwd, 'bin')}:/usr/bin:/bin` }
    expect(await runFramegate(['generate', 'kite', '-o', 'kite.mp4', '--open'], { cwd, env })).toMatchObject({ exitCode: 0 })
    await expect.poll(() => existsSync(openedFile) && readFileSync(openedFile, 'utf8')).toBe(join(cwd, 'kite.mp4'))
    const missingProgramRun = await runFramegate(['generate', 'kite', '-o', 'b.mp4', '--open'], {
      cwd,
      env: { ...env, PATH: cwd },
    })
    expect(missingProgramRun).toMatchObject({ exitCode: 0, stdout: 'b.mp4\n' })
    expect(missingProgramRun.stderr).toContain('so b.mp4 cannot be opened automatically')
  })

  it('a second reference image without an option is a usage error, not a prompt', async () => {
    await using server = await startFakeFramegate()
    writeFileSync(join(cwd, 'b.png'), '')
    const { exitCode, stderr } = await generate(server, 'kite', '--reference', 'https://example.com/a.png', 'b.png')
    expect([exitCode, server.submits]).toEqual([2, []])
    expect(stderr).toContain('b.png is a file, not a prompt')
  })

  it.skipIf(!hasTerminal)(
    'framegate generate on a terminal shows a line per task, rewrites it in place, and leaves only the paths',
    async () => {
      const states = [{ progress: 50 }, { status: 'completed' as const, progress: 100 }]
      await using server = await startFakeFramegate({ states })
      const { exitCode, stdout } = await runOnTerminal(['generate', 'kite', 'boat', '-o', 'a.mp4'], {
        cwd,
        env: environmentOf(server),
      })
      expect(exitCode).toBe(0)
      expect(stdout).toMatch(/█{14}░{14}  50 %  processing  0 s  kite\r\n█{14}░{14}  50 %  processing  0 s  boat/)
      expect(stdout).toContain('\r\x1b[1A\x1b[J')
      expect(finalScreen(stdout).toSorted()).toEqual(['a-1.mp4', 'a-2.mp4'])
    },
  )

  it('framegate generate shows the progress from the stream of its task, and sends no poll', async () => {
    const states = [{ progress: 20 }, { progress: 70 }, { status: 'completed' as const, progress: 100 }]
    await using server = await startFakeFramegate({ states, hasStreams: true })
    const { exitCode, stderr } = await runFramegate(['generate', 'kite', '-o', 'a.mp4'], { cwd, env: environmentOf(server) })
    expect([exitCode, server.polls]).toEqual([0, 0])
    expect(stderr).toMatch(/queued\n.* processing 20 %\n.* processing 70 %\n/s)
  })

  it('Ctrl-C during framegate generate cancels every task', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'processing' }] })
    const command = startFramegate(['generate', 'kite', '--count', '2'], { cwd, env: environmentOf(server) })
    await waitFor(command, () => command.stderr().includes(`${fakeTaskId(1)} processing`))
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ exitCode: 130, stdout: '' })
    expect(server.cancelled).toHaveLength(2)
  })

  it.each<[string, NodeJS.Signals, number]>([
    ['Ctrl-C', 'SIGINT', 130],
    ['SIGTERM', 'SIGTERM', 143],
  ])('framegate generate cancels the task at %s', async (_what, signal, exitCode) => {
    await using server = await startFakeFramegate({ states: [{ status: 'processing' }] })
    const command = startFramegate(['generate', 'kite'], { cwd, env: environmentOf(server) })
    await waitFor(command, () => command.stderr().includes('processing 50 %'))
    command.child.kill(signal)
    const outcome = await command.ended
    expect(outcome.exitCode).toBe(exitCode)
    expect(outcome.stderr).toContain('Interrupted. The task task_0123456789abcdef was cancelled.')
    expect(server.cancelled).toEqual(['/api/v2/model-center/tasks/task_0123456789abcdef/cancel'])
    expect(readdirSync(cwd)).toEqual([])
  })

  it('a Ctrl-C that npm repeats counts once, and a second press ends framegate generate immediately', async () => {
    await using server = await startFakeFramegate({ states: [{ status: 'processing' }], ignoresCancel: true })
    const command = startFramegate(['generate', 'kite'], { cwd, env: environmentOf(server) })
    await waitFor(command, () => command.stderr().includes('processing 50 %'))
    command.child.kill('SIGINT')
    await delay(50)
    command.child.kill('SIGINT')
    await delay(600)
    expect(command.child.exitCode).toBe(null)
    const pressedAtMs = performance.now()
    command.child.kill('SIGINT')
    expect((await command.ended).exitCode).toBe(130)
    expect(performance.now() - pressedAtMs).toBeLessThan(5_000)
    expect(server.cancelled).toHaveLength(1)
  })

  it('framegate generate accepts the origin of a server as its base URL', async () => {
    await using server = await startFakeFramegate()
    const env = { FRAMEGATE_URL: new URL(server.baseUrl).origin, FRAMEGATE_API_KEY: 'good-key' }
    expect(await runFramegate(['generate', 'kite'], { cwd, env })).toMatchObject({ exitCode: 0 })
  })

  it("framegate generate prefers flags to the environment, and shows the server's error for a wrong key", async () => {
    await using server = await startFakeFramegate()
    const env = { FRAMEGATE_URL: 'http://127.0.0.1:9', FRAMEGATE_API_KEY: 'good-key' }
    const outcome = await runFramegate(['generate', 'kite', '--url', server.baseUrl, '--api-key', 'bad'], { cwd, env })
    expect(outcome).toMatchObject({ exitCode: 1, stderr: 'Error (invalid_api_key): This key is not known.\n' })
  })

  it.each<[string, string[], Record<string, string>, string]>([
    ['no prompt', [], {}, "missing required argument 'prompt'"],
    ['a misspelled option', ['kite', '--second', '5'], {}, '(Did you mean --seconds?)'],
    ['an option that is not a number', ['kite', '--seconds', 'five'], {}, 'It must be a number.'],
    ['a missing image file', ['kite', '--reference', 'absent.png'], {}, 'absent.png cannot be read: there is no such file.'],
    ['no API key', ['kite', '--url', 'http://127.0.0.1:9/api'], {}, 'Set FRAMEGATE_API_KEY or give --api-key'],
    ['an invalid server address', ['kite'], { FRAMEGATE_URL: 'localhost', FRAMEGATE_API_KEY: 'k' }, 'must be a URL such as'],
  ])('framegate generate exits with 2 for %s', async (_what, args, env, expected) => {
    const { exitCode, stdout, stderr } = await runFramegate(['generate', ...args], { cwd, env })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain(expected)
    expect(stderr).not.toContain('    at ')
  })
})
