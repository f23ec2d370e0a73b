import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { builtLauncher } from '../../../../tools/build/built-program.ts'
import { startServer, type StartedServer } from '../started-server.ts'
import { openClient } from '../thread-clients.ts'
import { writeMigratedDatabase } from '../migrated-database.ts'

const key = `fg_live_${'k'.repeat(43)}`
const fileDescriptorsMax = 200

/** Linux reports the file limit of a process; elsewhere the service assumes a default. */
it.runIf(process.platform === 'linux')(
  'connections leave file descriptors for a complete task if the system allows only 200',
  async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-few-'))
    const child = spawn(
      'sh',
      ['-c', `ulimit -n ${fileDescriptorsMax}; exec "$0" "$@"`, process.execPath, builtLauncher, 'serve', '--json'],
      {
        env: {
          ...process.env,
          FRAMEGATE_DATA_DIR: dataDir,
          FRAMEGATE_PORT: '0',
          FRAMEGATE_BOOTSTRAP_KEY: key,
          LOG_LEVEL: 'warn',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let log = ''
    child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
    const exited = once(child, 'exit')
    const sockets: Socket[] = []
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const port = Number(new URL((JSON.parse(line) as { base_url: string }).base_url).port)
      const open = async (): Promise<Socket> => {
        const socket = connect(port, '127.0.0.1').on('error', () => {})
        sockets.push(socket)
        await once(socket, 'connect')
        return socket.resume()
      }
      const existingConnection = await open()
      let closedCount = 0
      for (let count = 0; count < 2 * fileDescriptorsMax; count++) (await open()).once('close', () => (closedCount += 1))
      await expect.poll(() => closedCount).toBeGreaterThanOrEqual(1.5 * fileDescriptorsMax)

      // Runs a complete task, including the download, on the existing connection.
      const send = async (head: string, body = ''): Promise<string> => {
        existingConnection.write(
          `${head} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
        let response = ''
        while (!/\r\n\r\n/.test(response))
          response += ((await once(existingConnection, 'data')) as [Buffer])[0].toString('latin1')
        return response
      }
      const submitted = await send('POST /api/v2/model-center/tasks', '{"model":"imgA-5.0","prompt":"a fox"}')
      const id = /"id":"(\w+)"/.exec(submitted)?.[1]
      const endedResponse = await send(`GET /api/v2/model-center/tasks/${id}?wait=50`)
      const link = new URL(/"result_url":"([^"]+)"/.exec(endedResponse)?.[1] ?? '')
      expect(await send(`HEAD ${link.pathname}${link.search}`)).toMatch(/^HTTP\/1\.1 200 /)
      expect(await send(`GET ${link.pathname}${link.search}`)).toMatch(/^HTTP\/1\.1 200 /)
      expect(log).not.toContain('EMFILE')
    } finally {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGTERM')
      await exited
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
)

describe.runIf(process.platform === 'linux')('a service that temporarily lacks file descriptors for a thread', () => {
  let folder: string
  let server: StartedServer
  beforeEach(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'framegate-no-thread-'))
    server = await startServer(path.join(folder, 'data'), { LOG_LEVEL: 'warn' })
  })
  afterEach(async () => {
    await server.kill()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sets how many more files and connections the service may open. */
  function limitFiles(furtherFiles: number): void {
    const pid = server.process.pid ?? expect.fail('the service has ended')
    const openFiles = readdirSync(`/proc/${pid}/fd`).length
    setLimit(openFiles + furtherFiles)
  }

  /** Sets the limit on the numbers of new file descriptors. */
  function setLimit(limit: number): void {
    execFileSync('prlimit', ['--pid', String(server.process.pid), `--nofile=${limit}:`])
  }

  // With few further files, the thread starts but cannot load its program or open the database.
  it.each([0, 4])('with %i further files, the service continues, and starts its checkpoint thread later', async (count) => {
    limitFiles(count)
    await expect.poll(() => server.log(), { timeout: 20_000 }).toContain('the checkpoint thread could not be started')
    limitFiles(500)
    await expect.poll(() => threadNames(server), { timeout: 20_000 }).toContain('checkpoint')
    expect(await server.stop()).toBe(0)
  })

  it('the overview, for which a thread reads the database, gets 503 until the thread can start', async () => {
    await expect.poll(() => threadNames(server), { timeout: 20_000 }).toContain('checkpoint')
    using client = openClient(server)
    await client.send('GET', '/v2/credits')
    limitFiles(0)
    const rejected = await client.send('GET', '/admin/v1/overview')
    expect([rejected.status, 'retry-after' in rejected.headers]).toEqual([503, true])
    limitFiles(500)
    expect((await client.send('GET', '/admin/v1/overview')).status).toBe(200)
  })

  it('parts that could not be loaded are loaded at their next use: the renderer and the server of MCP', async () => {
    await expect.poll(() => threadNames(server), { timeout: 20_000 }).toContain('checkpoint')
    using client = openClient(server)
    await client.send('GET', '/v2/credits')
    const listTools = async (): Promise<number> => {
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
      return (await client.send('POST', '/mcp', { body, headers: { accept: 'application/json, text/event-stream' } })).status
    }
    setLimit(1)
    expect(await listTools()).toBe(503)
    const { id } = (await client.send('POST', tasksPath, { body: image })).json as { id: string }
    await vi.waitUntil(() => server.log().includes('a render failed'), { timeout: 30_000 })
    limitFiles(500)
    expect((await client.send('GET', `${tasksPath}/${id}?wait=60`)).json).toMatchObject({ status: 'completed' })
    expect(await listTools()).toBe(200)
  })

  it('a task waits for its render thread and then completes', async () => {
    await expect.poll(() => threadNames(server), { timeout: 20_000 }).toContain('checkpoint')
    using client = openClient(server)
    await client.send('GET', '/v2/credits')
    // The limit is set before the submit, because the thread could otherwise start before it. It
    // permits the main thread to load the renderer.
    limitFiles(3)
    const { id } = (await client.send('POST', tasksPath, { body: image })).json as { id: string }
    // A render that fails for another reason is attempted three times.
    await vi.waitUntil(() => server.log().split('a render failed').length > 3, { timeout: 30_000 })
    limitFiles(500)
    expect((await client.send('GET', `${tasksPath}/${id}?wait=60`)).json).toMatchObject({ status: 'completed' })
  })
})

/**
 * The system does not limit the threads of root and of processes with its capabilities, so the
 * service runs as another user.
 */
const ordinaryUser = process.getuid?.() === 0 ? 64_321 : undefined

describe.runIf(process.platform === 'linux')('a service that temporarily may not start a thread', () => {
  it('a request that needs one gets 503 until the thread can start', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'framegate-no-thread-'))
    const dataDir = path.join(folder, 'data')
    mkdirSync(dataDir, { mode: 0o700 })
    writeMigratedDatabase(dataDir)
    if (ordinaryUser !== undefined) {
      for (const name of ['..', '.', ...readdirSync(dataDir)]) chownSync(path.join(dataDir, name), ordinaryUser, ordinaryUser)
    }
    const leaveRoot = `data:text/javascript,if(process.getuid()===0){process.setgid(${ordinaryUser});process.setuid(${ordinaryUser})}`
    const server = await startServer(dataDir, {
      LOG_LEVEL: 'warn',
      FRAMEGATE_THREADS: '1',
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${leaveRoot}`,
    })
    const limitThreads = (count: number): void => {
      const user = ordinaryUser === undefined ? {} : { uid: ordinaryUser, gid: ordinaryUser }
      execFileSync('prlimit', ['--pid', String(server.process.pid), `--nproc=${count}:`], user)
    }
    try {
      await expect.poll(() => threadNames(server), { timeout: 20_000 }).toContain('checkpoint')
      using client = openClient(server)
      const requests = [
        () => client.send('POST', tasksPath, { body: { ...image, negative_prompt: 'x'.repeat(300 * 1024) } }),
        () => client.send('GET', '/openapi.json'),
        () => client.send('GET', '/admin/v1/overview'),
      ]
      limitThreads(0)
      for (const send of requests) {
        const rejected = await send()
        expect([rejected.status, rejected.json.error.code, 'retry-after' in rejected.headers]).toEqual([503, 'overloaded', true])
      }
      limitThreads(1000)
      for (const send of requests) expect((await send()).status).toBeLessThan(500)
    } finally {
      await server.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

const tasksPath = '/v2/model-center/tasks'
const image = { model: 'imgA-5.0', prompt: 'a fox' }

function threadNames({ process: { pid } }: StartedServer): string[] {
  return readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').trim())
}
