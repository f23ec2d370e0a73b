import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { measureOnce, type RateOptions } from './rates.ts'
import type { BenchProcess } from './bench-process.ts'
import type { Memory } from './measured-service.ts'
import { polls } from './requests.ts'
import type { Fact } from './table.ts'

const longPollCount = 1_000

/**
 * Measures a thousand long polls, each on its own connection. All tasks end at the same time.
 */
export async function measureLongPolls(service: BenchProcess, key: string, options: RateOptions): Promise<Fact[]> {
  const ids = await service.call<string[]>('run', longPollCount)
  const otherPolls = polls(key, await service.call<string[]>('run', longPollCount))
  const rateAlone = await measureOnce(service, otherPolls, options)
  const memoryBefore = await service.call<Memory>('memoryMb')
  const sockets = await Promise.all(polls(key, ids, '?wait=60').map((request) => openLongPoll(service.port, request)))
  const memoryDuring = await service.call<Memory>('memoryMb')
  const rateWithLongPolls = await measureOnce(service, otherPolls, options)

  const endedAt = performance.now()
  const responses = Promise.all(sockets.map((socket) => once(socket, 'data')))
  await service.call('complete', ids)
  await responses
  const latencyMs = performance.now() - endedAt
  for (const socket of sockets) socket.destroy()
  return [
    {
      what: `memory of ${longPollCount} long polls`,
      unit: 'MB',
      figure: memoryDuring.afterCollection - memoryBefore.afterCollection,
    },
    {
      what: `rate of other polls meanwhile, relative to their rate alone`,
      unit: '',
      figure: rateWithLongPolls.perSecond / rateAlone.perSecond,
    },
    { what: `time to the last response when all ${longPollCount} tasks end at once`, unit: 'ms', figure: latencyMs },
  ]
}

async function openLongPoll(port: number, request: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  socket.write(request)
  return socket
}
