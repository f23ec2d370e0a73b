import { parentPort } from 'node:worker_threads'
import { parseJsonBody, type BodyLimits } from './parse-json-body.ts'

export interface BodyToParse {
  bytes: Uint8Array
  limits: BodyLimits
}

/** Entry point of the parser thread: parses one large body per message. */
parentPort?.on('message', ({ bytes, limits }: BodyToParse) => {
  parentPort?.postMessage(parseJsonBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits))
})
