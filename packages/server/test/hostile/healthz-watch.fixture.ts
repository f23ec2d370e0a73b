/**
 * Polls /healthz continuously on a separate thread. On a message, returns the longest time between
 * two responses since the previous message, in milliseconds.
 */
import { Agent, get } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

const { baseUrl } = workerData as { baseUrl: string }
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let longestMs = 0
let lastAtMs = performance.now()

function send(): void {
  get(`${baseUrl}/healthz`, { agent }, (response) => {
    response.resume().once('end', () => {
      const nowMs = performance.now()
      longestMs = Math.max(longestMs, nowMs - lastAtMs)
      lastAtMs = nowMs
      setTimeout(send, 1)
    })
  }).once('error', () => setTimeout(send, 1))
}
send()

// Includes the current wait.
parentPort?.on('message', () => {
  parentPort?.postMessage(Math.max(longestMs, performance.now() - lastAtMs))
  longestMs = 0
})
