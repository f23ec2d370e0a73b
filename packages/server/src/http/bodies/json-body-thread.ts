import { parentPort } from 'node:worker_threads'
import { parseJsonBody } from './parse-json-body.ts'

/** Parses large bodies one after another. */
parentPort?.on('message', (bytes: Uint8Array) => {
  parentPort?.postMessage(parseJsonBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)))
})
