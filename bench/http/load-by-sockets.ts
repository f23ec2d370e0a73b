// Sends requests over plain sockets in a separate process. It parses only the status and the length
// of a response.
import { connect } from 'node:net'
import { serveCalls } from './serve-calls.ts'
import type { LoadPlan, LoadResult } from './load-plan.ts'
import { median, percentile } from './statistics.ts'

const successPattern = /^HTTP\/1\.1 2\d\d /
const lengthPattern = /\r\ncontent-length: (\d+)/i
const chunkedPattern = /\r\ntransfer-encoding: chunked/i
const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'
let sentCount = 0

serveCalls(0, { load }, async () => {})

async function load({ port, requests, connections, seconds, requestsMax = Infinity, perSecond }: LoadPlan): Promise<LoadResult> {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const latencies: number[] = []
  const sentBefore = sentCount
  /** Time at which the next request may be sent. */
  let dueAt = startedAt
  let failed = 0

  function runConnection(): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let received = ''
      socket.setEncoding('latin1')
      socket.on('connect', sendRequest)
      socket.on('error', () => (failed += 1))
      socket.on('close', resolve)
      socket.on('data', (text: string) => {
        received += text
        if (!isComplete(received)) return
        latencies.push(performance.now() - sentAt)
        if (!successPattern.test(received)) failed += 1
        received = ''
        sendRequest()
      })
      function sendRequest(): void {
        if (perSecond === undefined) return sendNow()
        const waitMs = dueAt - performance.now()
        dueAt += 1000 / perSecond
        setTimeout(sendNow, Math.max(0, waitMs))
      }
      function sendNow(): void {
        sentAt = performance.now()
        if (sentAt >= endsAt || sentCount - sentBefore >= requestsMax) {
          socket.destroy()
          return
        }
        sentCount += 1
        const number = String(sentCount).padStart('{number}'.length, '0')
        const request = (requests[sentCount % requests.length] ?? '').replace('{n}', `${process.pid}-${sentCount}`)
        socket.write(request.replace('{number}', number), 'latin1')
      }
    })
  }

  await Promise.all(Array.from({ length: connections }, runConnection))
  return {
    responses: latencies.length,
    failed,
    seconds: (performance.now() - startedAt) / 1000,
    p50Ms: median(latencies),
    p99Ms: percentile(latencies, 99),
  }
}

/** Whether the received bytes are a complete response. A connection has one request at a time. */
function isComplete(received: string): boolean {
  const headLength = received.indexOf(headEnd)
  if (headLength === -1) return false
  const head = received.slice(0, headLength)
  if (chunkedPattern.test(head)) return received.endsWith(lastChunk)
  return received.length >= headLength + headEnd.length + Number(lengthPattern.exec(head)?.[1] ?? 0)
}
