import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { measureOnce, type RateOptions } from './rates.ts'
import type { MeasuredProcess } from './measured-process.ts'
import type { Memory } from './measured-service.ts'
import { polls } from './requests.ts'
import type { Fact } from './table.ts'

const heldCount = 1_000

/**
 * Measures a thousand clients that wait for the end of their task, each on its own connection,
 * until all tasks end at once.
 */
export async function measureHeldQueries(service: MeasuredProcess, key: string, options: RateOptions): Promise<Fact[]> {
  const ids = await service.call<string[]>('run', heldCount)
  const others = polls(key, await service.call<string[]>('run', heldCount))
  const alone = await measureOnce(service, others, options)
  const before = await service.call<Memory>('memoryMb')
  const sockets = await Promise.all(polls(key, ids, '?wait=60').map((request) => ask(service.port, request)))
  const held = await service.call<Memory>('memoryMb')
  const beside = await measureOnce(service, others, options)

  const endedAt = performance.now()
  const responses = Promise.all(sockets.map((socket) => once(socket, 'data')))
  await service.call('complete', ids)
  await responses
  const latencyMs = performance.now() - endedAt
  for (const socket of sockets) socket.destroy()
  return [
    { what: `memory of ${heldCount} held queries`, unit: 'MB', figure: held.kept - before.kept },
    { what: `rate of other polls meanwhile, relative to their rate alone`, unit: '', figure: beside.perSecond / alone.perSecond },
    { what: `time to the last response when all ${heldCount} tasks end at once`, unit: 'ms', figure: latencyMs },
  ]
}

async function ask(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(request)
  return socket
}
