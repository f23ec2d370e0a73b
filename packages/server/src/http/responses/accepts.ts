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
  if (accept === undefined || acceptsAny(accept, eventStream)) return
  throw new AppError('not_acceptable', 'Responses here are server-sent events; the Accept header must allow text/event-stream.')
}

/**
 * Whether an Accept header explicitly lists HTML, as browsers do. A client that accepts any type is
 * assumed to be a program.
 */
export function acceptsHtml(accept: string | undefined): boolean {
  return accept !== undefined && acceptsAny(accept, htmlRanges)
}

/**
 * Whether an Accept header allows a content type (RFC 9110, section 12.5.1). The type is accepted
 * unless the most specific matching range has a q of 0.
 */
function acceptsAny(accept: string, ranges: readonly string[]): boolean {
  let bestSpecificity = 0
  let accepted = false
  for (const entry of accept.split(',')) {
    const [range = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    const specificity = ranges.indexOf(range) + 1
    if (specificity === 0 || specificity < bestSpecificity) continue
    const isAccepted = !parameters.some((parameter) => zeroQualityPattern.test(parameter))
    accepted = specificity > bestSpecificity ? isAccepted : accepted || isAccepted
    bestSpecificity = specificity
  }
  return accepted
}

/** Media ranges that match each content type, from the least to the most specific. */
const jsonRanges = ['*/*', 'application/*', 'application/json']
const csvRanges = ['*/*', 'text/*', 'text/csv']
const htmlRanges = ['text/html']
const eventStream = ['*/*', 'text/*', 'text/event-stream']
const zeroQualityPattern = /^q\s*=\s*0(\.0{0,3})?$/
