import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isLongRun } from '../../src/db/store-under-test.ts'
import { openHttpService, type HttpService } from '../http-service.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Maximum number of documents in the generation queue. */
const waitingMax = 16
const brandsCount = isLongRun ? 60 : 24
/** Limit of the CPU time for the documents of all brands. */
const cpuSecondsMax = brandsCount / 4

let service: HttpService
beforeEach(async () => {
  service = await openHttpService()
  for (let n = 0; n < brandsCount; n++) {
    await service.brands.createBrand({ name: `Studio ${n}`, hosts: [hostOf(n)] })
  }
})
afterEach(async () => {
  await service[Symbol.asyncDispose]()
})

const hostOf = (n: number): string => `studio-${n}.example.com`
const path = '/openapi.json'

function read(n: number) {
  return service.request('GET', path, { key: null, host: hostOf(n) })
}

async function retryWhileUnavailable(n: number) {
  for (;;) {
    const response = await read(n)
    if (response.status === 200) return response
    await sleep(100)
  }
}

/** Returns the CPU time of all threads of this process. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** Sends a request without reading the response. */
async function send(n: number): Promise<Socket> {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  socket.write(`GET ${new URL(service.baseUrl).pathname}${path} HTTP/1.1\r\nHost: ${hostOf(n)}\r\n\r\n`)
  return socket
}

describe('the OpenAPI documents of many brands', () => {
  it(`generating the documents of ${brandsCount} brands takes little CPU time, and each is generated once`, async () => {
    const startedAt = cpuSeconds()
    const first = []
    for (let n = 0; n < brandsCount; n++) first.push(await retryWhileUnavailable(n))
    const writing = cpuSeconds() - startedAt
    const repeated = []
    for (let round = 0; round < 2; round++) for (let n = 0; n < brandsCount; n++) repeated.push(await read(n))
    const reading = cpuSeconds() - startedAt - writing
    expect(first.map(({ json }) => json.info.title)).toEqual(Array.from({ length: brandsCount }, (_, n) => `Studio ${n}`))
    expect(repeated.map(({ headers }) => headers.get('etag'))).toEqual(
      [...first, ...first].map(({ headers }) => headers.get('etag')),
    )
    expect({ writing, reading }).toEqual({
      writing: expect.toSatisfy(isBelowLimit),
      reading: expect.toSatisfy(isBelowLimit),
    })
  })

  it('a request for a document gets 503 and Retry-After when the generation queue is full', async () => {
    const responses = await Promise.all(Array.from({ length: brandsCount }, (_, n) => read(n)))
    const refused = responses.filter(({ status }) => status !== 200)
    expect(brandsCount - refused.length).toBeGreaterThanOrEqual(waitingMax)
    expect(refused).not.toEqual([])
    for (const { status, headers, json } of refused) {
      expect([status, headers.get('retry-after'), json.error.code]).toEqual([503, '5', 'overloaded'])
    }
  })

  it('a document is generated once for all clients that wait for it', async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, (_, n) => read(n % 2)))
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
  })

  it('a document is not generated for clients that have disconnected', async () => {
    const [first, ...waiting] = await Promise.all(Array.from({ length: waitingMax + 1 }, (_, n) => send(n)))
    await sleep(100)
    for (const socket of waiting) socket.destroy()
    await sleep(100)
    const otherReads = await Promise.all(Array.from({ length: waitingMax - 1 }, (_, n) => read(waitingMax + 1 + n)))
    expect(new Set(otherReads.map(({ status }) => status))).toEqual(new Set([200]))
    first?.destroy()
  })

  it('a document changes when a price of its brand is set', async () => {
    const documentBefore = await read(0)
    const brand = service.brands.ofHost(hostOf(0))
    await service.prices.setPrice({ model: 'imgA-5.0', brandNo: brand.no, price: { unit: 'image', credits: { '*': 0.77 } } })
    const documentAfter = await read(0)
    expect(documentAfter.json.components.schemas.imgA_5_0.description).toContain('0.77')
    expect(documentAfter.headers.get('etag')).not.toBe(documentBefore.headers.get('etag'))
  })
})

function isBelowLimit(seconds: number): boolean {
  return seconds < cpuSecondsMax
}
