import type { DocumentedService } from '@framegate/contract/openapi'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { matchesEtag } from './etag.ts'

/** A file that is too expensive to generate for each request, or in a thread that serves requests. */
export interface LargeFile {
  uncompressed: Uint8Array
  gzipped: Uint8Array
  etag: string
}

export type LargeFileRequest = { name: 'openapi'; service: DocumentedService } | { name: 'viewer' }

/** Sends the file, compressed if the client accepts gzip, or 304 if the client already has it. */
export function sendLargeFile(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  contentType: string,
  file: LargeFile,
  cacheControl = 'no-cache',
): FastifyReply {
  const { 'if-none-match': ifNoneMatch, 'accept-encoding': acceptEncoding } = raw.headers
  reply.headers({ etag: file.etag, 'cache-control': cacheControl, vary: 'Accept-Encoding' })
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, file.etag)) return reply.code(304).send()
  reply.header('content-type', contentType)
  if (!/\bgzip\b(?!\s*;\s*q=0)/i.test(String(acceptEncoding))) return reply.send(file.uncompressed)
  return reply.header('content-encoding', 'gzip').send(file.gzipped)
}
