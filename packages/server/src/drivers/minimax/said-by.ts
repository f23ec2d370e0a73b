import type { FailureCode } from '@framegate/contract'
import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import {
  detailOf,
  judgeRefusal,
  refusedBy,
  throttledBy,
  unavailableBy,
  unknownBy,
  type SaidByUpstream,
} from '../upstream/judge-refusal.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

/**
 * One table of codes, told in three ways: `base_resp` of an answer that is HTTP 200 whatever happened, brackets at the end of an
 * error's message, and `error.code` of a failed task.
 */
const policyCodes = new Set(['1026', '1027'])
const inputCodes = new Set(['1042', '2013'])
const throttledCodes = new Set(['1002', '1039', '1041', '2045', '2056'])
/** Key and balance. */
const credentialCodes = new Set(['1004', '1008', '2049'])
/** The plan does not hold the model, or no more of it. */
const routeCodes = new Set(['1028', '1030', '2061'])

/** The code is empty when nothing is wrong. */
export function saidBy(json: unknown): SaidByUpstream {
  const { base_resp, error } = objectIn(json)
  const base = objectIn(base_resp)
  const inner = objectIn(error)
  const message = textIn(inner['message']) || textIn(base['status_msg'])
  const bracketed = /\((\d+)\)\s*$/.exec(message)?.[1] ?? ''
  const code = textIn(inner['code']) || bracketed || textIn(base['status_code']).replace(/^0$/, '')
  return { code, message, isPolicy: policyCodes.has(code) }
}

/** Of a task that was taken on and has failed. */
export function failureCodeOf({ code, isPolicy }: SaidByUpstream): FailureCode {
  if (isPolicy) return 'content_policy'
  return inputCodes.has(code) ? 'invalid_input' : 'upstream_failed'
}

export function refusalOf(answer: UpstreamAnswer): Error {
  const said = saidBy(answer.json)
  const detail = detailOf(answer.status, said)
  if (said.isPolicy) return refusedBy('content_policy', detail)
  if (throttledCodes.has(said.code)) return throttledBy(answer, detail)
  if (credentialCodes.has(said.code)) return unavailableBy(answer, detail, 'credential')
  if (routeCodes.has(said.code)) return unavailableBy(answer, detail)
  // Our address did not answer its challenge: that is no fault of the input.
  if (/callback/i.test(said.message) && inputCodes.has(said.code)) return unavailableBy(answer, detail)
  if (inputCodes.has(said.code)) return refusedBy('invalid_input', detail)
  return said.code === '' ? judgeRefusal(answer, said) : unknownBy(answer, detail)
}
