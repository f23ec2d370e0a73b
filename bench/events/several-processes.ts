import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { percentile } from '../http/statistics.ts'
import type { Row } from './row.ts'
import { startS3Server, s3ServerUnavailable } from '../../packages/server/test/s3-server.ts'
import { startEventService } from './service.ts'
import { startPostgres } from './start-postgres.ts'

const tasks = 300
const pauseMs = 20
const arriveMsMax = 10_000

/**
 * Measures the time from the start of a commit that ends a task in one process until the event has
 * arrived over a stream of another process. Empty if this machine has no PostgreSQL.
 */
export async function measureProcesses(): Promise<Row[]> {
  await using postgres = await startPostgres()
  if (postgres === undefined) return []
  if (s3ServerUnavailable !== null) throw new Error(`this bench needs an S3 server: ${s3ServerUnavailable}`)
  await using s3 = await startS3Server()
  const settings = {
    DATABASE_URL: postgres.url,
    FRAMEGATE_SEAL_KEY: Buffer.alloc(32, 1).toString('base64'),
    S3_ENDPOINT: s3.endpoint,
    S3_BUCKET: s3.newBucket().bucket,
    S3_ACCESS_KEY_ID: s3.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
  await using api = await startEventService({ settings })
  await using worker = await startEventService({ accounts: 0, settings })
  const [key = ''] = api.keys
  const ids = await worker.process.call<string[]>('run', tasks)
  const paths = ids.map((id) => `/v2/model-center/tasks/${id}/events`)
  const streams = await Promise.all(paths.map((path) => openStream(api.process.port, key, path)))
  const accountStream = await openStream(api.process.port, key, '/v2/events')
  const [taskStreamMs, accountStreamMs]: [number[], number[]] = [[], []]
  for (const [index, id] of ids.entries()) {
    const stream = streams[index]
    if (stream === undefined) break
    const startedAt = performance.now()
    const measure = async (socket: Socket, timesMs: number[]): Promise<void> => {
      await waitUntilEnded(socket, id)
      timesMs.push(performance.now() - startedAt)
    }
    await Promise.all([
      measure(stream, taskStreamMs),
      measure(accountStream, accountStreamMs),
      worker.process.call('complete', [id]),
    ])
    await sleep(pauseMs)
  }
  for (const socket of [...streams, accountStream]) socket.destroy()
  return [
    ...rowsOf('end of a task in another process, over the stream of the task', taskStreamMs),
    ...rowsOf('end of a task in another process, over the stream of the account', accountStreamMs),
  ]
}

function rowsOf(label: string, timesMs: readonly number[]): Row[] {
  return [
    { what: `${label}, p50`, figure: percentile(timesMs, 50), unit: 'ms' },
    { what: `${label}, p99`, figure: percentile(timesMs, 99), unit: 'ms', target: { atMost: 250 } },
  ]
}

async function openStream(port: number, key: string, path: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('utf8')
  socket.write(`GET /api${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [string]
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(head)
  return socket
}

/** Waits for the event that reports the end of a task. */
async function waitUntilEnded(socket: Socket, id: string): Promise<void> {
  const signal = AbortSignal.timeout(arriveMsMax)
  let text = ''
  while (!(text.includes(id) && text.includes('"status":"completed"'))) {
    const [piece] = (await once(socket, 'data', { signal })) as [string]
    text += piece
  }
}
