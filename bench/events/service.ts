import { request } from 'undici'
import { BenchProcess } from '../http/bench-process.ts'
import type { ServiceOptions } from '../http/measured-service.ts'

/** A measured service with a driver that generates nothing, and its accounts. */
export interface EventService extends AsyncDisposable {
  process: BenchProcess
  /** One API key per account. */
  keys: string[]
  baseUrl: string
  send: <Body>(method: 'GET' | 'POST', path: string, key: string, body?: object) => Promise<Body>
}

export async function startEventService(options: Partial<Omit<ServiceOptions, 'driver'>> = {}): Promise<EventService> {
  const process = await BenchProcess.start('measured-service.ts', {
    driver: 'none',
    inFlightMax: 0,
    accounts: 1,
    ...options,
    settings: { FRAMEGATE_ALLOW_HOSTS: '127.0.0.1', ...options.settings },
  } satisfies ServiceOptions)
  const baseUrl = `http://127.0.0.1:${process.port}/api`
  return {
    process,
    keys: await process.call<string[]>('keys'),
    baseUrl,
    async send<Body>(method: 'GET' | 'POST', path: string, key: string, body?: object): Promise<Body> {
      const response = await request(baseUrl + path, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
        body: body === undefined ? null : JSON.stringify(body),
      })
      const text = await response.body.text()
      if (response.statusCode >= 300) throw new Error(`${method} ${path}: HTTP ${response.statusCode} ${text}`)
      return JSON.parse(text) as Body
    },
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  }
}
