import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { DocumentedService } from '@framegate/contract/openapi'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './etag.ts'

/**
 * A file that costs some hundred milliseconds and some ten megabytes to make. It is made when it is first asked for, in a thread
 * that ends with it, so that no other request waits and nothing but the file stays.
 */
export interface LargeFile {
  plain: Uint8Array
  gzipped: Uint8Array
  etag: string
}

export type LargeFileName = { name: 'openapi'; service: DocumentedService } | { name: 'viewer' }

/** One thread at a time, however many files are asked for. */
let making: Promise<unknown> = Promise.resolve()

export function createLargeFile(wanted: LargeFileName): () => Promise<LargeFile> {
  let made: Promise<LargeFile> | undefined
  return () => {
    if (made === undefined) {
      made = making.then(() => make(wanted))
      making = made.catch(() => (made = undefined))
    }
    return made
  }
}

/** Sends it compressed to whoever takes it so, and not again to whoever has it. */
export function answerLargeFile(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  file: LargeFile,
): FastifyReply {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = raw.headers
  reply.headers({ etag: file.etag, 'cache-control': 'no-cache', vary: 'Accept-Encoding' })
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, file.etag)) return reply.code(304).send()
  reply.header('content-type', contentType)
  if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(String(acceptEncoding))) return reply.send(file.plain)
  return reply.header('content-encoding', 'gzip').send(file.gzipped)
}

async function make(wanted: LargeFileName): Promise<LargeFile> {
  const thread = new Worker(new URL('./large-file-thread.ts', import.meta.url), { workerData: wanted })
  try {
    const [file] = (await once(thread, 'message')) as [LargeFile]
    return file
  } finally {
    await thread.terminate()
  }
}
