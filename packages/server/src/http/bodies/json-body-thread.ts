import { parentPort } from 'node:worker_threads'
import type { JsonLimits } from '../../lib/json-shape.ts'
import { parseJsonBody } from './parse-json-body.ts'

export interface BodyToParse {
  bytes: Uint8Array
  limits: JsonLimits
}

/** Entry point of the parser thread: parses one large body per message. */
parentPort?.on('message', ({ bytes, limits }: BodyToParse) => {
  parentPort?.postMessage(parseJsonBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), limits))
})
