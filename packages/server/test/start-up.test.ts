import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { delimiter, join, sep } from 'node:path'
import { tmpdir, userInfo } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readExchange, requireDocumented } from './documented-responses.ts'
import { mayMount, mountSmallDisk } from './small-disk.ts'
import { runFramegate, waitFor, startFramegate, type Outcome, type RunningCommand } from '../../cli/test/run-framegate.ts'

/**
 * These tests start the service like a user, through the command line and in its own process. They
 * observe its output.
 */

const bootstrapKey = 'start-up-test-key-0123456789'
let cwd: string
let running: RunningCommand[]

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'framegate-start-up-'))
  running = []
})

afterEach(async () => {
  for (const command of running) command.child.kill('SIGKILL')
  await Promise.all(running.map((command) => command.ended))
  rmSync(cwd, { recursive: true })
})

interface StartOptions {
  args?: string[]
  env?: Record<string, string>
  node?: string
}

function start({ args = [], env = {}, node }: StartOptions = {}): RunningCommand {
  const settings = { FRAMEGATE_PORT: '0', LOG_LEVEL: 'warn', ...env }
  const command = startFramegate(['serve', ...args], { cwd, env: settings, ...(node !== undefined && { node }) })
  running.push(command)
  return command
}

async function startToEnd(options: StartOptions = {}): Promise<Outcome> {
  return start(options).ended
}

async function readyUrl(command: RunningCommand): Promise<string> {
  return waitFor(command, () => /^Framegate is ready at (\S+)\n/m.exec(command.stdout())?.[1])
}

async function stop(command: RunningCommand, signal: NodeJS.Signals = 'SIGTERM'): Promise<Outcome> {
  command.child.kill(signal)
  return command.ended
}

const keyIn = (text: string) => /fg_live_[\w-]+/.exec(text)?.[0]

async function call(
  url: string,
  key: string,
  init: RequestInit = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const requestInit = { ...init, headers }
  const response = await fetch(url, requestInit)
  const baseUrl = url.slice(0, url.indexOf('/v2/'))
  requireDocumented(await readExchange(baseUrl, url, requestInit, response))
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

const submit = (baseUrl: string, key: string, body: unknown) =>
  call(`${baseUrl}/v2/model-center/tasks`, key, { method: 'POST', body: JSON.stringify(body) })

describe('a ready service', () => {
  /** A first start without settings, for tests that only read its output and its responses. */
  let shared: RunningCommand
  let sharedFolder: string
  beforeAll(() => {
    sharedFolder = mkdtempSync(join(tmpdir(), 'framegate-start-up-'))
    shared = startFramegate(['serve'], { cwd: sharedFolder, env: { FRAMEGATE_PORT: '0', LOG_LEVEL: 'warn' } })
  })
  afterAll(async () => {
    shared.child.kill('SIGKILL')
    await shared.ended
    rmSync(sharedFolder, { recursive: true })
  })

  it('a ready service prints one line with a URL that responds', async () => {
    const command = shared
    const baseUrl = await readyUrl(command)
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/)
    expect(command.stdout().match(/Framegate is ready at/g)).toHaveLength(1)
    expect(command.stdout()).toContain(join(sharedFolder, 'data'))
    expect((await fetch(`${baseUrl}/v2/model-center/tasks`)).status).toBe(401)
  })

  it('a ready service with --json prints one line of JSON and nothing else', async () => {
    const command = start({ args: ['--json'] })
    const line = await waitFor(command, () => /^(.*)\n/.exec(command.stdout())?.[1])
    const ready = JSON.parse(line) as Record<string, string>
    expect(Object.keys(ready)).toEqual(['base_url', 'data_dir', 'api_key'])
    expect(ready['data_dir']).toBe(join(cwd, 'data'))
    expect((await call(`${ready['base_url']}/v2/model-center/tasks`, ready['api_key'] ?? '')).status).toBe(200)
    expect(await stop(command)).toMatchObject({ exitCode: 0, stdout: `${line}\n` })
  })

  it('the message of a first start begins with a link that signs in to the console once', async () => {
    const command = shared
    await readyUrl(command)
    const [, link = '', origin = '', code = ''] = await waitFor(command, () =>
      /^\n\s+Console +((http:\S+)\/console\/sign-in#code=([\w-]+)) /m.exec(command.stdout()),
    )
    expect(command.stdout().indexOf(link)).toBeLessThan(command.stdout().indexOf('API key'))
    const signIn = () =>
      fetch(`${origin}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-console-request': '1', origin },
        body: JSON.stringify({ code }),
      })
    const firstSignIn = await signIn()
    expect([firstSignIn.status, await firstSignIn.json()]).toEqual([201, expect.objectContaining({ is_operator: true })])
    expect((await signIn()).status).toBe(401)
  })

  it('a start with a configured key prints the address of the console without a code, and none if it is off', async () => {
    const env = { FRAMEGATE_BOOTSTRAP_KEY: 'a-key-of-an-operator' }
    const command = start({ env })
    const baseUrl = await readyUrl(command)
    await waitFor(command, () => command.stdout().includes('Ctrl-C stops'))
    expect(command.stdout()).toContain(`${new URL(baseUrl).origin}/console\n`)
    expect(command.stdout()).not.toContain('code=')
    await stop(command)
    const serviceWithoutConsole = start({ env: { ...env, FRAMEGATE_CONSOLE: 'off' } })
    const url = await readyUrl(serviceWithoutConsole)
    await waitFor(serviceWithoutConsole, () => serviceWithoutConsole.stdout().includes('Ctrl-C stops'))
    expect(serviceWithoutConsole.stdout()).not.toContain('Console')
    expect((await fetch(`${new URL(url).origin}/console`, { headers: { accept: 'text/html' } })).status).toBe(404)
  })

  it('a ready service prints commands that can be pasted unchanged', async () => {
    const command = shared
    await readyUrl(command)
    await waitFor(command, () => command.stdout().includes('Ctrl-C stops'))
    const [submitLine, queryLine] = command
      .stdout()
      .split('\n')
      .filter((line) => line.includes('curl -s'))
    const script = `${submitLine}\n${queryLine?.replace('?wait=60', '')}`
    const response = JSON.parse(execFileSync('bash', ['-c', script], { encoding: 'utf8' })) as Record<string, unknown>
    expect(response).toMatchObject({ object: 'video', model: 'sd_2.0_fast_special' })
  })

  it('a service uses its flags --port, --base-path and --data-dir, which override the environment', async () => {
    const env = { FRAMEGATE_PORT: '1', FRAMEGATE_BASE_PATH: '/environment', FRAMEGATE_DATA_DIR: 'environment' }
    const command = start({ args: ['--port', '0', '--base-path', '/', '--data-dir', 'elsewhere'], env })
    expect(await readyUrl(command)).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect([existsSync(join(cwd, 'elsewhere')), existsSync(join(cwd, 'environment'))]).toEqual([true, false])
  })
})

describe('the API key of a first start', () => {
  it('the API key is shown at the first start only and keeps working', async () => {
    const firstStart = start()
    const firstUrl = await readyUrl(firstStart)
    await waitFor(firstStart, () => firstStart.stdout().includes('shown only once'))
    const key = keyIn(firstStart.stdout()) ?? ''
    expect((await call(`${firstUrl}/v2/model-center/tasks`, key)).status).toBe(200)
    await stop(firstStart)

    const secondStart = start()
    const secondUrl = await readyUrl(secondStart)
    expect((await call(`${secondUrl}/v2/model-center/tasks`, key)).status).toBe(200)
    const { stdout, stderr } = await stop(secondStart)
    expect(keyIn(stdout + stderr)).toBeUndefined()
  })

  it('the API key of FRAMEGATE_BOOTSTRAP_KEY is used and not printed', async () => {
    const command = start({ env: { FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey } })
    const baseUrl = await readyUrl(command)
    expect((await call(`${baseUrl}/v2/model-center/tasks`, bootstrapKey)).status).toBe(200)
    const { stdout, stderr } = await stop(command)
    expect(keyIn(stdout)).toBeUndefined()
    expect(stdout + stderr).not.toContain(bootstrapKey)
  })

  it('the API key is shown at the first successful start when an earlier one could not listen', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1')
    await once(otherServer, 'listening')
    const port = String((otherServer.address() as AddressInfo).port)
    expect((await startToEnd({ env: { FRAMEGATE_PORT: port } })).exitCode).toBe(1)
    otherServer.close()
    const command = start()
    await readyUrl(command)
    expect(await waitFor(command, () => keyIn(command.stdout()))).toBeDefined()
  })
})

function expectMessage({ exitCode, stdout, stderr }: Outcome, expected: string): void {
  expect([exitCode, stdout]).toEqual([1, ''])
  expect(stderr).toContain(expected)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  expect(stderr).not.toMatch(/^\s+at /m)
}

describe('a service that cannot start', () => {
  it('a start on a port in use is rejected with that reason', async () => {
    const otherServer = createServer().listen(0, '127.0.0.1')
    await once(otherServer, 'listening')
    const { port } = otherServer.address() as AddressInfo
    expectMessage(await startToEnd({ env: { FRAMEGATE_PORT: String(port) } }), `Port ${port}`)
    otherServer.close()
  })

  it('a start with the role worker fails with a message that names the settings that several processes need', async () => {
    expectMessage(
      await startToEnd({ args: ['--role', 'worker'] }),
      '--role: worker requires a shared database and a shared bucket; also set DATABASE_URL and S3_ENDPOINT.',
    )
  })

  it('a start with a file as data folder is rejected with that reason', async () => {
    writeFileSync(join(cwd, 'data'), '')
    expectMessage(await startToEnd(), `The data folder ${join(cwd, 'data')} cannot be created`)
  })

  const whereFoldersAreReadOnly = it.skipIf(!existsSync('/proc/self'))
  whereFoldersAreReadOnly(
    'a start with an unwritable data folder names the reason, the setting and the user, even for root',
    async () => {
      const outcome = await startToEnd({ args: ['--data-dir', '/proc/framegate'] })
      expectMessage(outcome, 'The data folder /proc/framegate cannot be created')
      expectMessage(
        outcome,
        `The service runs as the user ${userInfo().username}. Give this user write permission for the folder and its files, or choose another folder with --data-dir or FRAMEGATE_DATA_DIR.`,
      )
    },
  )

  it.skipIf(!mayMount)(
    'a start with a data folder on a full disk reports the missing space, and not missing permissions',
    async () => {
      const mountPoint = join(cwd, 'small-disk')
      using disk = mountSmallDisk(mountPoint, 1)
      const dataDir = join(mountPoint, 'data')
      mkdirSync(dataDir)
      disk?.fill()
      const outcome = await startToEnd({ args: ['--data-dir', dataDir] })
      expectMessage(
        outcome,
        `The data folder ${dataDir} is not writable: the disk is full. Free space there, or choose another folder with --data-dir or FRAMEGATE_DATA_DIR.`,
      )
    },
  )

  it.skipIf(!mayMount)(
    'a start whose migrations fill the disk asks for free space, and the next start completes them',
    async () => {
      const mountPoint = join(cwd, 'small-disk')
      using _disk = mountSmallDisk(mountPoint, 8)
      const [dataDir, filler] = [join(mountPoint, 'data'), join(mountPoint, 'filler')]
      writeFileSync(filler, Buffer.alloc(8 * 2 ** 20 - 400 * 2 ** 10))
      expectMessage(
        await startToEnd({ args: ['--data-dir', dataDir] }),
        `The disk of the database ${join(dataDir, 'framegate.db')} is full. Free some space and start again.`,
      )
      rmSync(filler)
      const service = start({ args: ['--data-dir', dataDir] })
      expect(await readyUrl(service)).toMatch(/^http/)
    },
  )

  it.skipIf(!mayMount).each([
    [4, (dataDir: string) => `The data folder ${dataDir} is not writable: the disk is full. Free space there`],
    [16, (dataDir: string) => `The disk of the database ${join(dataDir, 'framegate.db')} is full. Free some space`],
    [32, (dataDir: string) => `The disk of the database ${join(dataDir, 'framegate.db')} is full. Free some space`],
  ])('a start with %i KiB of free space asks for free space', async (kibibytes, expected) => {
    const mountPoint = join(cwd, 'small-disk')
    using _disk = mountSmallDisk(mountPoint, 1)
    const dataDir = join(mountPoint, 'data')
    writeFileSync(join(mountPoint, 'filler'), Buffer.alloc(2 ** 20 - kibibytes * 2 ** 10))
    expectMessage(await startToEnd({ args: ['--data-dir', dataDir] }), expected(dataDir))
  })

  it.runIf(process.platform === 'linux')('a start with too few file descriptors names the limit', async () => {
    const node = join(cwd, 'node')
    writeFileSync(node, `#!/bin/sh\nulimit -n 32\nexec '${process.execPath}' "$@"\n`, { mode: 0o755 })
    expectMessage(
      await startToEnd({ node }),
      'The system permits only 32 open files and connections of this process. Raise the limit (ulimit -n) to at least 64',
    )
  })

  it('a start is rejected if the path of the data folder is too long for its files', async () => {
    const longPath = join(cwd, ...Array.from({ length: 4 }, () => 'd'.repeat(150)))
    expectMessage(await startToEnd({ args: ['--data-dir', longPath] }), 'The path of the data folder has ')
  })

  it.each([
    [
      'is empty',
      (file: string) => writeFileSync(file, ''),
      'does not contain a key of 32 bytes in base64; restore it from a backup',
    ],
    ['is a folder', (file: string) => mkdirSync(file), 'cannot be read (EISDIR)'],
  ])('a start fails if seal.key %s, and the message names the file and the reason', async (_how, make, expected) => {
    mkdirSync(join(cwd, 'data'))
    writeFileSync(join(cwd, 'data', 'framegate.db'), '')
    make(join(cwd, 'data', 'seal.key'))
    const outcome = await startToEnd()
    expectMessage(outcome, expected)
    expect(outcome.stderr).toContain(join(cwd, 'data', 'seal.key'))
  })

  it('a start on a damaged database is rejected with that reason, as are commands that read the database', async () => {
    mkdirSync(join(cwd, 'data'))
    const file = join(cwd, 'data', 'framegate.db')
    writeFileSync(file, Buffer.alloc(8192, 'not a database'))
    const expected = `The database ${file} is damaged (file is not a database). Restore the data folder from a backup`
    expectMessage(await startToEnd(), expected)
    for (const command of [
      ['backup', 'copy'],
      ['export', 'out.ndjson'],
      ['media', 'verify'],
    ])
      expectMessage(await runFramegate([...command, '--data-dir', 'data'], { cwd }), expected)
  })

  it('a start on a database that is damaged in its middle is rejected with that reason', async () => {
    const firstStart = start()
    await readyUrl(firstStart)
    await stop(firstStart)
    const file = join(cwd, 'data', 'framegate.db')
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill(0xff, 4096))
    expectMessage(await startToEnd(), `The database ${file} is damaged (`)
  })

  it('the error of a command names the path that it cannot use', async () => {
    const firstStart = start()
    await readyUrl(firstStart)
    await stop(firstStart)
    const target = join(cwd, 'c'.repeat(300))
    expectMessage(
      await runFramegate(['backup', target], { cwd }),
      `${target} cannot be used (ENAMETOOLONG): the path, or a name in it, is too long`,
    )
  })

  it('a start on a data folder in use names the process of the other Framegate', async () => {
    const firstStart = start()
    await readyUrl(firstStart)
    expectMessage(await startToEnd(), `is in use by another Framegate (process ${firstStart.child.pid})`)
  })

  it('a start prints one line for each invalid setting', async () => {
    writeFileSync(join(cwd, 'framegate.yaml'), 'prot: 1\nlog_level: loud\n')
    const env = {
      FRAMEGATE_PORT: '99999',
      FRAMEGATE_BOOTSTRAP_KEY: 'too-short',
      LOG_LEVEL: '',
      DATABASE_URL: 'postgres://u:hush@db',
    }
    const { exitCode, stdout, stderr } = await startToEnd({ args: ['--base-path', 'api'], env })
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.split(':')[0]),
    ).toEqual([
      'prot in framegate.yaml',
      'FRAMEGATE_PORT',
      '--base-path',
      'FRAMEGATE_BOOTSTRAP_KEY',
      'DATABASE_URL',
      'log_level in framegate.yaml',
    ])
    expect(stderr).not.toMatch(/hush|too-short/)
    expect(readdirSync(cwd)).toEqual(['framegate.yaml'])
  })

  it('a mistyped option exits with 2 and suggests the correct one', async () => {
    const outcome = await runFramegate(['serve', '--prot', '1'], { cwd })
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('(Did you mean --port?)') })
  })
})

describe('a service that is stopped', () => {
  it.each<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('a service drains and exits with 0 at %s', async (signal) => {
    const command = start()
    await readyUrl(command)
    const { exitCode, stderr } = await stop(command, signal)
    expect(stderr).toContain('Framegate is shutting down')
    expect(stderr).toContain('Framegate has stopped.')
    expect(exitCode).toBe(0)
  })

  it('a service stops within five seconds although a connection sends nothing and another an incomplete header', async () => {
    const command = start()
    const { hostname, port } = new URL(await readyUrl(command))
    const sockets = await Promise.all(
      ['', 'GET /healthz HTTP/1.1\r\nHost: a'].map(async (sent) => {
        const socket = connect(Number(port), hostname).on('error', () => {})
        await once(socket, 'connect')
        socket.write(sent)
        return socket
      }),
    )
    const startedAt = performance.now()
    const { exitCode } = await stop(command)
    expect(exitCode).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    for (const socket of sockets) socket.destroy()
  })

  it('requests on connections that a proxy has opened or kept before a stop get responses', async () => {
    const command = start()
    const { hostname, port } = new URL(await readyUrl(command))
    const request = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    const open = async () => {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await once(socket, 'connect')
      let received = ''
      socket.setEncoding('utf8').on('data', (text: string) => (received += text))
      return { socket, received: () => received }
    }
    const [kept, unused] = [await open(), await open()]
    kept.socket.write(request)
    await expect.poll(kept.received).toContain('{"status":"ok"}')
    // The service does not accept these connections before the stop signal.
    command.child.kill('SIGSTOP')
    const waiting = await Promise.all(Array.from({ length: 40 }, open))
    for (const { socket } of waiting) socket.write(request)
    command.child.kill('SIGTERM')
    command.child.kill('SIGCONT')
    await waitFor(command, () => /shutting down/.exec(command.stderr())?.[0])
    await sleep(200)
    for (const { socket } of [kept, unused]) socket.write(request)
    expect(await command.ended).toMatchObject({ exitCode: 0 })
    const lastResponses = [kept, unused, ...waiting].map(({ received }) => received().split('HTTP/1.1 ').at(-1))
    for (const response of lastResponses) expect(response).toMatch(/^200 OK[^]*\{"status":"ok"\}$/)
    for (const response of lastResponses.slice(0, 2)) expect(response).toMatch(/^connection: close\r$/im)
    for (const { socket } of [kept, unused, ...waiting]) socket.destroy()
  })

  it.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])('a service continues its tasks at the next start after %s', async (signal) => {
    const env = { FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey }
    const firstStart = start({ env })
    const submitted = await submit(await readyUrl(firstStart), bootstrapKey, { model: 'imgA-5.0', prompt: 'x' })
    expect(submitted.status).toBe(202)
    await stop(firstStart, signal)

    const secondStart = start({ env })
    const query = `${await readyUrl(secondStart)}/v2/model-center/tasks/${String(submitted.body['id'])}?wait=20`
    expect(await call(query, bootstrapKey)).toMatchObject({
      status: 200,
      body: { id: submitted.body['id'], error: null, status: 'completed' },
    })
  })
})

describe('framegate generate', () => {
  it('framegate generate generates an image and a video on a running service, and shows the error of the service for a parameter', async () => {
    const command = start({ env: { FRAMEGATE_BOOTSTRAP_KEY: bootstrapKey } })
    const env = { FRAMEGATE_URL: await readyUrl(command), FRAMEGATE_API_KEY: bootstrapKey }

    const image = await runFramegate(['generate', 'a paper boat', '-o', 'boat.png', '--seed', '1'], { cwd, env })
    expect(image).toMatchObject({ exitCode: 0, stdout: 'boat.png\n', stderr: expect.stringMatching(/^task_\w+ queued\n/) })
    expect(readFileSync(join(cwd, 'boat.png')).subarray(1, 4).toString()).toBe('PNG')

    const video = [
      'generate',
      'a paper boat',
      '--model',
      'vidDq3-turbo',
      '--seconds',
      '1',
      '--resolution',
      '540p',
      '-o',
      'boat.mp4',
      '--json',
    ]
    const { exitCode, stdout } = await runFramegate([...video, '--first-frame', 'boat.png'], { cwd, env })
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed', path: join(cwd, 'boat.mp4'), actualDuration: 1 })
    expect(readFileSync(join(cwd, 'boat.mp4')).subarray(4, 8).toString()).toBe('ftyp')

    const refused = await runFramegate(['generate', 'kite', '--seconds', '99'], { cwd, env })
    expect([refused.exitCode, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toMatch(/^Error \(invalid_parameter\): .*seconds/)
  })

  it('framegate generate starts a temporary service if none runs, and leaves only the result file behind', async (context) => {
    if (await respondsAtDefaultAddress()) context.skip('a Framegate runs at the default address of this machine')
    const temporary = mkdtempSync(join(cwd, 'tmp-'))
    const { exitCode, stdout, stderr } = await runFramegate(['generate', 'a paper boat', '-o', 'boat.png'], {
      cwd,
      env: { TMPDIR: temporary, NODE_DISABLE_COMPILE_CACHE: '1' },
    })
    expect(stderr).toContain('This command starts its own server in a temporary folder')
    expect([exitCode, stdout]).toEqual([0, 'boat.png\n'])
    expect(readdirSync(temporary)).toEqual([])
    expect(readdirSync(cwd)).toHaveLength(2)
  })

  it.skipIf(!mayMount)('a result that cannot be saved has no link if the service was temporary', async (context) => {
    if (await respondsAtDefaultAddress()) context.skip('a Framegate runs at the default address of this machine')
    using disk = mountSmallDisk(join(cwd, 'small-disk'), 1)
    disk?.fill()
    const output = join(cwd, 'small-disk', 'boat.png')
    const { exitCode, stderr } = await runFramegate(['generate', 'a paper boat', '-o', output], { cwd })
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/The result could not be saved: ENOSPC.* It is lost, because the temporary server ends\.\n$/)
    expect(stderr).not.toContain('/media/')
  })
})

// The PATH of the user's shell, without the folders that npm adds.
const shellPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((part) => !part.includes(`node_modules${sep}.bin`))
  .join(delimiter)
const shellNode = spawnSync('node', ['-p', 'process.execPath + " " + process.versions.node'], {
  env: { PATH: shellPath },
  encoding: 'utf8',
})
const [shellNodePath = '', shellNodeVersion = ''] = shellNode.status === 0 ? shellNode.stdout.trim().split(' ') : []

describe.skipIf(shellNodePath === '' || Number.parseInt(shellNodeVersion, 10) >= 24)('an older Node', () => {
  it('the command runs on the Node that npm installed, forwards signals to it and returns its exit code', async () => {
    const command = start({ node: shellNodePath })
    await readyUrl(command)
    const { exitCode, stderr } = await stop(command, 'SIGTERM')
    expect([exitCode, stderr.includes('Framegate has stopped.')]).toEqual([0, true])
    expect(await runFramegate(['serv'], { cwd, node: shellNodePath })).toMatchObject({ exitCode: 2 })
  })

  it('the service does not outlive the command that started it', async () => {
    const command = start({ node: shellNodePath })
    const url = await readyUrl(command)
    command.child.kill('SIGKILL')
    // The service shares these pipes with the command, so the pipes close only when the service has
    // ended too.
    const { stderr } = await command.ended
    expect(stderr).toContain('Framegate has stopped.')
    await expect(fetch(url)).rejects.toThrow()
  })

  it('the command names the required Node version in one sentence if npm installed none', async () => {
    const bin = join(cwd, 'framegate.js')
    writeFileSync(bin, readFileSync(new URL('../../cli/bin/framegate.js', import.meta.url)))
    writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
    const { status, stdout, stderr } = spawnSync(shellNodePath, [bin, '--version'], { cwd, encoding: 'utf8' })
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`Framegate needs Node 24 or later. This is Node ${shellNodeVersion},`)
  })
})

async function respondsAtDefaultAddress(): Promise<boolean> {
  try {
    await fetch('http://127.0.0.1:8787/api/v2/model-center/tasks', { signal: AbortSignal.timeout(1_000) })
    return true
  } catch {
    return false
  }
}
