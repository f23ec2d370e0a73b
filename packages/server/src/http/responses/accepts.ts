import type { FastifyRequest } from 'fastify'
import { AppError } from '../../lib/app-error.ts'

export function acceptsJson(accept: string | undefined): boolean {
  return (
    accept === undefined ||
    accept === '*/*' ||
    accept === jsonRanges.at(-1) ||
    accept.trim() === '' ||
    acceptsAny(accept, jsonRanges)
  )
}

export function acceptsCsv(accept: string | undefined): boolean {
  return accept === undefined || acceptsAny(accept, csvRanges)
}

export function requireEventStreamAccepted({ raw }: FastifyRequest): void {
  const { accept } = raw.headers
  if (accept === undefined || acceptsAny(accept, eventStreamRanges)) return
  throw new AppError('not_acceptable', 'Responses here are server-sent events; the Accept header must allow text/event-stream.')
}

/**
 * Whether an Accept header names `text/html`, as browsers do. A client that accepts any type is
 * assumed to be a program.
 */
export function acceptsHtml(accept: string | undefined): boolean {
  return accept !== undefined && acceptsAny(accept, htmlRanges)
}

/**
 * Whether an Accept header allows a content type (RFC 9110, section 12.5.1): a range matches it,
 * and the most specific matching range has a q above 0. `ranges` are the ranges that match the
 * type.
 */
function acceptsAny(accept: string, ranges: readonly string[]): boolean {
  let bestSpecificity = 0
  let isTypeAccepted = false
  for (const entry of accept.split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const specificity = ranges.indexOf(range) + 1
    if (specificity === 0 || specificity < bestSpecificity) continue
    const isRangeAccepted = !parameters.some((parameter) => zeroQualityPattern.test(parameter))
    isTypeAccepted = specificity > bestSpecificity ? isRangeAccepted : isTypeAccepted || isRangeAccepted
    bestSpecificity = specificity
  }
  return isTypeAccepted
}

/** Media ranges that match each content type, from the least to the most specific. */
const jsonRanges = ['*/*', 'application/*', 'application/json']
const csvRanges = ['*/*', 'text/*', 'text/csv']
const htmlRanges = ['text/html']
const eventStreamRanges = ['*/*', 'text/*', 'text/event-stream']
const zeroQualityPattern = /^q\s*=\s*0(\.0{0,3})?$/
