import type { FailureCode } from '@framegate/contract'
import type { UpstreamAnswer } from '../upstream/call-upstream.ts'
import { detailOf, judgeRefusal, unavailableBy, type SaidByUpstream } from '../upstream/judge-refusal.ts'
import { objectIn, textIn } from '../upstream/read-json.ts'

const policyCodes = /^(DataInspectionFailed|IPInfringementSuspect)/
const inputCodes = /^(InvalidParameter|BadRequest|InvalidURL|InvalidFile|InvalidImage)/

/** `{code, message}`: at the top of a refusal, in the `output` of a failed task, and of one picture among several. */
export function saidBy(holder: unknown): SaidByUpstream {
  const { code, message } = objectIn(holder)
  return { code: textIn(code), message: textIn(message), isPolicy: policyCodes.test(textIn(code)) }
}

/** Most faults of parameters and pictures come only now, after a submit that was accepted. */
export function failureCodeOf({ code, isPolicy }: SaidByUpstream): FailureCode {
  if (isPolicy) return 'content_policy'
  return inputCodes.test(code) ? 'invalid_input' : 'upstream_failed'
}

export function refusalOf(answer: UpstreamAnswer): Error {
  const said = saidBy(answer.json)
  if (answer.status === 400 && said.code === 'Arrearage') {
    return unavailableBy(answer, detailOf(400, said), 'credential')
  }
  return judgeRefusal(answer, said)
}
