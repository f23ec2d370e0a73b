import { BenchProcess } from '../http/bench-process.ts'
import type { Gateway } from './side.ts'

/**
 * Starts a gateway whose process accepts the remote calls `keys`, `memoryMb` and, if it stores
 * tasks, `completed`.
 */
export async function startMeasuredGateway(file: string, options: object, hasTasks: boolean): Promise<Gateway> {
  const process = await BenchProcess.start(file, options)
  const [key = ''] = await process.call<string[]>('keys')
  return {
    port: process.port,
    key,
    pid: process.pid,
    collectGarbage: async () => {
      await process.call<number>('memoryMb')
    },
    ...(hasTasks && { completed: () => process.call<number>('completed') }),
    kill: () => process.kill(),
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}
