import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { StoreClosed, StoreUnavailable } from '../db/store-unavailable.ts'
import { AppError } from '../lib/app-error.ts'
import { CallChannel, type ChannelPort } from './call-channel.ts'

type Remote = {
  add(left: number, right: number): Promise<number>
  fail(kind: string): Promise<never>
  wait(signal: AbortSignal): Promise<string>
  missing(): Promise<void>
}

const errors: Record<string, Error> = {
  app: new AppError('invalid_parameter', 'too long', {
    param: 'prompt',
    errors: [{ pointer: '/prompt', code: 'invalid_parameter', message: 'too long' }],
    headers: { 'retry-after': '2' },
    cause: new Error('inner'),
  }),
  unavailable: new StoreUnavailable({ reason: 'SQLITE_FULL' }),
  closed: new StoreClosed('closed'),
  other: new RangeError('other'),
}

let messageCount: number
let ports: MessageChannel
let caller: CallChannel<Remote>
let callee: CallChannel<Record<string, never>>

beforeEach(() => {
  messageCount = 0
  ports = new MessageChannel()
  const countingPort: ChannelPort = {
    postMessage(message) {
      messageCount += 1
      ports.port1.postMessage(message)
    },
    on: (event, listener) => ports.port1.on(event, listener),
  }
  caller = new CallChannel<Remote>(countingPort, {})
  callee = new CallChannel(ports.port2, {
    add: async (left: number, right: number) => left + right,
    fail: async (kind: string) => {
      throw errors[kind] ?? new Error(kind)
    },
    wait: (signal: AbortSignal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true })),
  })
})

afterEach(() => {
  callee.end(new Error('the test has ended'))
  ports.port1.close()
})

it('the calls of one event-loop tick are sent in one message, and each gets its own result', async () => {
  const sums = await Promise.all(Array.from({ length: 100 }, (_, index) => caller.remote.add(index, 1)))
  expect(sums).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
  expect(messageCount).toBe(1)
})

it.each(Object.keys(errors))(
  'a caller in another thread gets the message, the fields and, if it is known, the class of the error %s',
  async (kind) => {
    const thrownError = errors[kind] as Error
    const receivedError = (await caller.remote.fail(kind).catch((error: unknown) => error)) as Error
    expect(receivedError).toBeInstanceOf(kind === 'other' ? Error : thrownError.constructor)
    expect(receivedError.message).toBe(thrownError.message)
    for (const name of ['code', 'param', 'errors', 'headers', 'reason'] as const) {
      expect(Reflect.get(receivedError, name), name).toEqual(Reflect.get(thrownError, name))
    }
  },
)

it('the signal of a call aborts in the other thread', async () => {
  const controller = new AbortController()
  const waiting = caller.remote.wait(controller.signal)
  await caller.remote.add(1, 1)
  controller.abort()
  expect(await waiting).toBe('aborted')
})

it('a signal that aborted before its call aborts in the other thread', async () => {
  expect(await caller.remote.wait(AbortSignal.abort())).toBe('aborted')
})

it('a call of an unknown method rejects', async () => {
  await expect(caller.remote.missing()).rejects.toThrow('there is no method missing')
})

it('pending and later calls reject after the other thread has ended', async () => {
  const pending = caller.remote.wait(new AbortController().signal)
  caller.end(new Error('it has ended'))
  await expect(pending).rejects.toThrow('it has ended')
  await expect(caller.remote.add(1, 1)).rejects.toThrow('it has ended')
})
