/** Asks /healthz without a pause, on a thread of its own, and says how long the longest wait between two responses was. */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { baseUrl } = workerData as { baseUrl: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0
let lastAtMs = performance.now()

function ask(): void {
  get(`${baseUrl}/healthz`, { agent }, (response) => {
    response.resume().once('end', () => {
      const nowMs = performance.now()
      longestMs = Math.max(longestMs, nowMs - lastAtMs)
      lastAtMs = nowMs
      setTimeout(ask, 1)
    })
  }).once('error', () => setTimeout(ask, 1))
}
ask()

// The wait that goes on counts too.
parentPort?.on('message', () => {
  parentPort?.postMessage(Math.max(longestMs, performance.now() - lastAtMs))
  longestMs = 0
})
